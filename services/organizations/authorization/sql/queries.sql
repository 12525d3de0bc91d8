-- name: find write(organization_id uuid, member_id uuid)
SELECT m.access_level,
  coalesce((SELECT bit_or(r.permissions)
            FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
            WHERE x.organization_id = $1 AND x.member_id = m.id), 0) AS permissions
FROM member m
WHERE m.organization_id = $1 AND m.id = $2

-- name: find_roles write(organization_id uuid, ids uuid[])
SELECT id, name, permissions FROM role WHERE organization_id = $1 AND id = ANY($2) ORDER BY id

-- name: lock_organization write(organization_id uuid)
-- Not FOR UPDATE, which would block inserts of referencing rows.
SELECT organization_id FROM organization
WHERE organization_id = $1 AND deleted_at IS NULL
FOR NO KEY UPDATE

-- name: lock_person write(id uuid)
-- Conflicts with the lock of users::hold().
SELECT id FROM person WHERE id = $1 FOR NO KEY UPDATE

-- name: is_live write(person_id uuid, credential_id uuid)
-- A session, or a key of any organization.
SELECT EXISTS (SELECT FROM session WHERE id = $2 AND person_id = $1 AND expires_at > now())
  OR EXISTS (
    SELECT FROM member m JOIN credential c ON c.organization_id = m.organization_id AND c.member_id = m.id
    WHERE m.person_id = $1 AND c.id = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()))
