-- read(organization_id uuid, member_id uuid, search text)
SELECT count(*)
/*include matching*/
