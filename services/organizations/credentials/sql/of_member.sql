-- write(organization_id uuid, member_id uuid)
SELECT id FROM credential WHERE organization_id = $1 AND member_id = $2
