-- read(organization_id uuid, search text, status text)
SELECT count(*)
/*include matching*/
