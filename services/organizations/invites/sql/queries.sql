-- name: find read(organization_id uuid, id uuid)
SELECT /*include columns*/, i.version::text
FROM invite i
WHERE i.organization_id = $1 AND i.id = $2

-- name: find_open read(organization_id uuid, id uuid)
SELECT i.secret_hash, i.email, i.access_level, o.name AS organization_name, i.invited_by,
  coalesce((SELECT bit_or(r.permissions)
            FROM invite_role x JOIN role r ON r.organization_id = $1 AND r.id = x.role_id
            WHERE x.organization_id = $1 AND x.invite_id = i.id), 0) AS permissions
FROM invite i JOIN organization o ON o.organization_id = i.organization_id
WHERE i.organization_id = $1 AND i.id = $2 AND i.accepted_at IS NULL AND i.expires_at > now() AND o.deleted_at IS NULL

-- name: count read(organization_id uuid, search text, status text)
SELECT count(*)
/*include matching*/

-- name: roles_of read(organization_id uuid, id uuid)
SELECT r.id, r.name, r.description, r.permissions
FROM invite_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
WHERE x.organization_id = $1 AND x.invite_id = $2
ORDER BY r.id

-- name: has_member write(organization_id uuid, email text)
SELECT EXISTS (SELECT FROM member m JOIN person p ON p.id = m.person_id
               WHERE m.organization_id = $1 AND lower(p.email) = lower($2))

-- name: is_addressee write(person_id uuid, email text)
SELECT EXISTS (SELECT FROM person WHERE id = $1 AND lower(email) = lower($2))

-- name: insert write(organization_id uuid, id uuid, email text, access_level text, secret_hash bytea, invited_by uuid,
--   life_seconds int8)
-- No row if the address has an open invite.
INSERT INTO invite (organization_id, id, email, access_level, secret_hash, invited_by, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
ON CONFLICT (organization_id, lower(email)) WHERE accepted_at IS NULL DO NOTHING

-- name: insert_member write(organization_id uuid, id uuid, person_id uuid, access_level text)
-- No row if the person is a member.
INSERT INTO member (organization_id, id, person_id, access_level, created_at)
VALUES ($1, $2, $3, $4, clock_timestamp())
ON CONFLICT (organization_id, person_id) DO NOTHING

-- name: insert_member_roles write(organization_id uuid, invite_id uuid, member_id uuid)
INSERT INTO member_role (organization_id, member_id, role_id)
SELECT x.organization_id, m.id, x.role_id
FROM invite_role x JOIN member m ON m.organization_id = x.organization_id AND m.id = $3
WHERE x.organization_id = $1 AND x.invite_id = $2

-- name: insert_roles write(organization_id uuid, invite_id uuid, role_ids uuid[])
INSERT INTO invite_role (organization_id, invite_id, role_id)
SELECT i.organization_id, i.id, r.role_id
FROM invite i, unnest($3) AS r(role_id)
WHERE i.organization_id = $1 AND i.id = $2

-- name: accept write(organization_id uuid, id uuid)
UPDATE invite SET accepted_at = now() WHERE organization_id = $1 AND id = $2

-- name: remove write(organization_id uuid, id uuid)
DELETE FROM invite WHERE organization_id = $1 AND id = $2

-- name: remove_expired write(organization_id uuid, email text)
-- An expired invite must not block a new one.
DELETE FROM invite
WHERE organization_id = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND expires_at <= now()
