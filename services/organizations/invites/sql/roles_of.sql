-- read(organization_id uuid, id uuid)
SELECT r.id, r.name, r.description, r.permissions
FROM invite_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
WHERE x.organization_id = $1 AND x.invite_id = $2
ORDER BY r.id
