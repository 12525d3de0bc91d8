-- read(organization_id uuid)
SELECT a.organization_id, a.business_account_id, a.phone_number_id, a.display_phone_number, a.verified_name,
  a.access_token, a.webhook_secret
FROM account a
JOIN organization o ON o.organization_id = a.organization_id AND o.deleted_at IS NULL
WHERE a.organization_id = $1
