-- write(organization_id uuid, member_id uuid)
SELECT m.access_level,
  coalesce((SELECT bit_or(r.permissions)
            FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
            WHERE x.organization_id = $1 AND x.member_id = m.id), 0) AS permissions
FROM member m
WHERE m.organization_id = $1 AND m.id = $2
