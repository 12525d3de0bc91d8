-- name: find read(organization_id uuid, id uuid)
SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email,
  m.version::text
FROM member m JOIN person p ON p.id = m.person_id
WHERE m.organization_id = $1 AND m.id = $2

-- name: find_owned write(person_id uuid, organization_name text)
SELECT m.organization_id, m.id AS member_id
FROM member m
  JOIN organization o ON o.organization_id = m.organization_id
  JOIN person p ON p.id = m.person_id
WHERE m.person_id = $1 AND m.access_level = 'Owner' AND o.name = $2 AND o.deleted_at IS NULL
  AND m.created_at >= coalesce(p.taken_over_at, '-infinity')
ORDER BY m.organization_id
LIMIT 1

-- name: find_roles write(organization_id uuid, names text[])
SELECT r.id, wanted.name
FROM unnest($2) AS wanted(name) JOIN role r ON r.organization_id = $1 AND lower(r.name) = lower(wanted.name)

-- name: count read(organization_id uuid, search text, access_level text, role_id uuid)
SELECT count(*)
/*include matching*/

-- name: count_owners write(organization_id uuid)
SELECT count(*) FROM member WHERE organization_id = $1 AND access_level = 'Owner'

-- name: roles_of read(organization_id uuid, member_id uuid)
SELECT r.id, r.name, r.description, r.permissions
FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
WHERE x.organization_id = $1 AND x.member_id = $2
ORDER BY r.id

-- name: person_of write(organization_id uuid, id uuid)
SELECT person_id FROM member WHERE organization_id = $1 AND id = $2

-- name: insert write(organization_id uuid, id uuid, person_id uuid, access_level text)
-- clock_timestamp() is later than a take-over that this statement waited for; see person.taken_over_at.
INSERT INTO member (organization_id, id, person_id, access_level, created_at)
VALUES ($1, $2, $3, $4, clock_timestamp())

-- name: insert_key write(organization_id uuid, id uuid, member_id uuid, secret_hash bytea)
INSERT INTO credential (organization_id, id, member_id, name, is_default, secret_hash)
VALUES ($1, $2, $3, 'default', true, $4)

-- name: insert_organization write(organization_id uuid, name text)
INSERT INTO organization (organization_id, name)
VALUES ($1, $2)

-- name: insert_roles write(organization_id uuid, member_id uuid, role_ids uuid[])
INSERT INTO member_role (organization_id, member_id, role_id)
SELECT $1, $2, role_id FROM unnest($3) AS r(role_id)

-- name: set_level write(organization_id uuid, id uuid, access_level text)
UPDATE member SET access_level = $3 WHERE organization_id = $1 AND id = $2

-- name: clear_roles write(organization_id uuid, member_id uuid)
DELETE FROM member_role WHERE organization_id = $1 AND member_id = $2

-- name: remove write(organization_id uuid, id uuid)
-- Cascades to the member's roles and keys.
DELETE FROM member WHERE organization_id = $1 AND id = $2

-- name: revoke_invites write(organization_id uuid, invited_by uuid)
DELETE FROM invite WHERE organization_id = $1 AND invited_by = $2 AND accepted_at IS NULL
