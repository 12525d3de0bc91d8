-- write(organization_id uuid, invite_id uuid, member_id uuid)
INSERT INTO member_role (organization_id, member_id, role_id)
SELECT x.organization_id, m.id, x.role_id
FROM invite_role x JOIN member m ON m.organization_id = x.organization_id AND m.id = $3
WHERE x.organization_id = $1 AND x.invite_id = $2
