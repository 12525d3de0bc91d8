-- read(organization_id uuid, member_id uuid, per_page int8, skip int8)
SELECT o.organization_id AS id, o.name, o.description, o.created_at, o.website_url, o.logo_url, o.favicon_url,
  o.is_auto_handling_conversations_enabled, o.is_onboarding_completed, a.business_account_id, a.phone_number_id,
  a.access_token, a.webhook_secret, a.verification_status, a.is_registered
FROM member caller
  JOIN member m ON m.person_id = caller.person_id
  JOIN organization o ON o.organization_id = m.organization_id
  LEFT JOIN account a ON a.organization_id = o.organization_id
WHERE caller.organization_id = $1 AND caller.id = $2
/*if descending*/ ORDER BY o.created_at DESC, o.organization_id DESC /*else*/ ORDER BY o.created_at, o.organization_id /*end*/
LIMIT $3 OFFSET $4
