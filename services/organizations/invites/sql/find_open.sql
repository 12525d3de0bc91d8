-- read(organization_id uuid, id uuid)
SELECT i.secret_hash, i.email, i.access_level, o.name AS organization_name, i.invited_by,
  coalesce((SELECT bit_or(r.permissions)
            FROM invite_role x JOIN role r ON r.organization_id = $1 AND r.id = x.role_id
            WHERE x.organization_id = $1 AND x.invite_id = i.id), 0) AS permissions
FROM invite i JOIN organization o ON o.organization_id = i.organization_id
WHERE i.organization_id = $1 AND i.id = $2 AND i.accepted_at IS NULL AND i.expires_at > now() AND o.deleted_at IS NULL
