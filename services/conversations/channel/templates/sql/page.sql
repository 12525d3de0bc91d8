-- read(organization_id uuid, business_account_id text, search text, name text, language text, status text,
--   category text, after_name text, after_language text, after_id text, per_page int8, skip int8)
SELECT t.id, t.name, t.language, t.category, t.status, t.status_reason AS "statusReason", t.components
/*include matching*/
/*if after*/
  AND (t.name, t.language, t.id) /*if descending*/ < /*else*/ > /*end*/ ($8, $9, $10)
/*end*/
/*if descending*/ ORDER BY t.name DESC, t.language DESC, t.id DESC /*else*/ ORDER BY t.name, t.language, t.id /*end*/
LIMIT $11 OFFSET $12
