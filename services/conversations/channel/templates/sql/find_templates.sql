-- read(organization_id uuid, business_account_id text, name text)
SELECT language, status, components
FROM template
WHERE organization_id = $1 AND business_account_id = $2 AND name = $3
ORDER BY language
