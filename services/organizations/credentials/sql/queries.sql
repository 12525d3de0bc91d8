-- name: find read(organization_id uuid, id uuid)
SELECT c.id, c.name, c.created_at, c.expires_at, c.last_used_at, c.is_default, c.member_id, m.access_level,
  c.version::text
FROM credential c JOIN member m ON m.organization_id = c.organization_id AND m.id = c.member_id
WHERE c.organization_id = $1 AND c.id = $2 AND c.revoked_at IS NULL

-- name: lock write(organization_id uuid, id uuid)
SELECT id FROM credential WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR UPDATE

-- name: lock_maker write(person_id uuid, id uuid)
-- A person's key in any organization, locked against revocation.
SELECT c.expires_at
FROM member m
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
  JOIN credential c ON c.organization_id = m.organization_id AND c.member_id = m.id
WHERE m.person_id = $1 AND c.id = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
FOR SHARE OF c

-- name: lock_member write(organization_id uuid, member_id uuid)
-- Serializes changes of this member's keys.
SELECT id FROM member WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: page read(organization_id uuid, member_id uuid, search text, after_id uuid, after_name text, per_page int8, skip int8)
-- Ids are in the order of creation.
SELECT c.id, c.name, c.created_at, c.expires_at, c.last_used_at, c.is_default
/*include matching*/
/*if by_name*/
  /*if after*/ AND (lower(c.name), c.id) /*if descending*/ < /*else*/ > /*end*/ (lower($5), $4) /*end*/
  /*if descending*/ ORDER BY lower(c.name) DESC, c.id DESC /*else*/ ORDER BY lower(c.name), c.id /*end*/
/*else*/
  /*if after*/ AND c.id /*if descending*/ < /*else*/ > /*end*/ $4 /*end*/
  /*if descending*/ ORDER BY c.id DESC /*else*/ ORDER BY c.id /*end*/
/*end*/
LIMIT $6 OFFSET $7

-- name: count read(organization_id uuid, member_id uuid, search text)
SELECT count(*)
/*include matching*/

-- name: count_live write(organization_id uuid, member_id uuid)
SELECT count(*) AS live
FROM credential
WHERE organization_id = $1 AND member_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())

-- name: home read(id uuid)
SELECT organization_id FROM credential WHERE id = $1

-- name: is_session write(id uuid, person_id uuid)
SELECT EXISTS (SELECT FROM session WHERE id = $1 AND person_id = $2)

-- name: of_member write(organization_id uuid, member_id uuid)
SELECT id FROM credential WHERE organization_id = $1 AND member_id = $2

-- name: insert write(organization_id uuid, id uuid, member_id uuid, name text, secret_hash bytea, expires_at timestamptz, made_by uuid)
INSERT INTO credential (organization_id, id, member_id, name, secret_hash, expires_at, made_by)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING created_at

-- name: insert_default write(organization_id uuid, member_id uuid, id uuid, secret_hash bytea, expires_at timestamptz, made_by uuid)
INSERT INTO credential (organization_id, id, member_id, name, is_default, secret_hash, expires_at, made_by)
SELECT m.organization_id, $3, m.id, 'default', true, $4, $5, $6
FROM member m
WHERE m.organization_id = $1 AND m.id = $2
RETURNING created_at

-- name: note_use write(organization_id uuid, id uuid)
-- Several gateways may call at once; only one writes.
UPDATE credential SET last_used_at = now()
WHERE organization_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')

-- name: revoke write(organization_id uuid, id uuid)
UPDATE credential SET revoked_at = now() WHERE organization_id = $1 AND id = $2

-- name: revoke_all write(organization_id uuid, member_id uuid, id uuid)
UPDATE credential SET revoked_at = now()
WHERE organization_id = $1 AND revoked_at IS NULL
  /*if of_member*/ AND member_id = $2 /*end*/
  /*if by_id*/ AND id = $3 /*end*/
RETURNING id, member_id AS "memberId", name

-- name: revoke_default write(organization_id uuid, member_id uuid)
UPDATE credential SET revoked_at = now()
WHERE organization_id = $1 AND member_id = $2 AND is_default AND revoked_at IS NULL
RETURNING id, made_by

-- name: revoke_made_by write(makers uuid[])
-- In all organizations, as a key acts in all of its person's.
UPDATE credential SET revoked_at = now()
WHERE made_by = ANY ($1) AND revoked_at IS NULL
RETURNING organization_id, id, name

-- name: revoke_of_person write(person_id uuid, address text, request_id text)
-- Revokes a person's keys in all organizations, with audit entries there.
WITH ended AS (
  UPDATE credential c SET revoked_at = now()
  FROM member m
  WHERE m.person_id = $1 AND c.organization_id = m.organization_id AND c.member_id = m.id AND c.revoked_at IS NULL
  RETURNING c.organization_id, c.id, c.name
)
INSERT INTO audit (organization_id, id, action, member_email, credential_id, subject_id, subject, address, request_id)
SELECT organization_id, gen_random_uuid(), 'ApiKeyDeleted', '', '', id, name, $2, $3
FROM ended
