-- read(organization_id uuid, member_ids uuid[])
SELECT x.member_id, r.id, r.name, r.description, r.permissions
FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
WHERE x.organization_id = $1 AND x.member_id = ANY($2)
ORDER BY x.member_id, r.id
