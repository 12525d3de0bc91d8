-- read(organization_id uuid, search text, access_level text, role_id uuid)
SELECT count(*)
/*include matching*/
