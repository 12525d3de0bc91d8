-- write(organization_id uuid, member_id uuid)
DELETE FROM member_role WHERE organization_id = $1 AND member_id = $2
