-- write(organization_id uuid, member_id uuid, role_ids uuid[])
INSERT INTO member_role (organization_id, member_id, role_id)
SELECT $1, $2, role_id FROM unnest($3) AS r(role_id)
