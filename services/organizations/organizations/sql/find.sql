-- read(organization_id uuid)
SELECT o.organization_id AS id, o.name, o.description, o.created_at, o.website_url, o.logo_url, o.favicon_url,
  o.is_auto_handling_conversations_enabled, o.is_onboarding_completed, a.business_account_id, a.phone_number_id,
  a.access_token, a.webhook_secret, a.verification_status, a.is_registered,
  o.version::text || coalesce('.' || a.version, '') AS version
FROM organization o LEFT JOIN account a ON a.organization_id = o.organization_id
WHERE o.organization_id = $1 AND o.deleted_at IS NULL
