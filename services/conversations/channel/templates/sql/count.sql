-- read(organization_id uuid, business_account_id text, search text, name text, language text, status text,
--   category text)
SELECT count(*)
/*include matching*/
