-- read(organization_id uuid, id uuid)
SELECT i.secret_hash, i.email, i.access_level, o.name AS organization_name
FROM invite i JOIN organization o ON o.organization_id = i.organization_id
WHERE i.organization_id = $1 AND i.id = $2 AND i.accepted_at IS NULL AND i.expires_at > now() AND o.deleted_at IS NULL
