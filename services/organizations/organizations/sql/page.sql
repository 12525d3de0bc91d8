-- read(person_id uuid, search text, after_id uuid, after_name text, per_page int8, skip int8)
SELECT o.organization_id AS id, o.name, o.description, o.created_at, o.website_url, o.logo_url, o.favicon_url,
  o.is_auto_handling_conversations_enabled, o.is_onboarding_completed, o.requires_second_factor, a.business_account_id,
  a.phone_number_id, a.access_token, a.webhook_secret, a.verification_status, a.is_registered
FROM member m
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
  LEFT JOIN account a ON a.organization_id = o.organization_id
WHERE m.person_id = $1
/*if by_search*/ AND strpos(lower(o.name), lower($2)) > 0 /*end*/
/*if by_name*/
  /*if after*/ AND (lower(o.name), o.organization_id) /*if descending*/ < /*else*/ > /*end*/ (lower($4), $3) /*end*/
  /*if descending*/ ORDER BY lower(o.name) DESC, o.organization_id DESC
  /*else*/ ORDER BY lower(o.name), o.organization_id /*end*/
/*else*/
  /*if after*/ AND o.organization_id /*if descending*/ < /*else*/ > /*end*/ $3 /*end*/
  /*if descending*/ ORDER BY o.organization_id DESC /*else*/ ORDER BY o.organization_id /*end*/
/*end*/
LIMIT $5 OFFSET $6
