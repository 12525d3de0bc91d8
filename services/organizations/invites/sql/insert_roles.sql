-- write(organization_id uuid, invite_id uuid, role_ids uuid[])
INSERT INTO invite_role (organization_id, invite_id, role_id)
SELECT i.organization_id, i.id, r.role_id
FROM invite i, unnest($3) AS r(role_id)
WHERE i.organization_id = $1 AND i.id = $2
