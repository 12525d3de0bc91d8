-- name: count read(person_id uuid, idle_seconds int8, search text)
SELECT count(*)
/*include live*/

-- name: page read(person_id uuid, idle_seconds int8, search text, after_id uuid, per_page int8, skip int8, current uuid)
-- Ids are in the order of creation.
SELECT id AS "uniqueId", created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", address,
  user_agent AS "userAgent", id = $7 AS "isCurrent"
/*include live*/
/*if after*/ AND id /*if descending*/ < /*else*/ > /*end*/ $4 /*end*/
/*if descending*/ ORDER BY id DESC /*else*/ ORDER BY id /*end*/
LIMIT $5 OFFSET $6

-- name: insert write(id uuid, person_id uuid, secret_hash bytea, password_hash text, life_seconds int8, address text,
--   user_agent text, has_code bool)
-- Only while what was verified is all that is needed; the lock makes a change of password end this session, too.
INSERT INTO session (id, person_id, secret_hash, expires_at, address, user_agent)
SELECT $1, p.id, $3, date_trunc('milliseconds', now() + $5 * interval '1 second'), $6, $7
FROM person p
WHERE p.id = $2 AND p.password_hash = $4 AND ($8 OR p.second_factor_at IS NULL)
FOR SHARE OF p
RETURNING expires_at

-- name: note_use write(id uuid)
-- Several gateways may call at once; only one writes.
UPDATE session SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'

-- name: prune write(person_id uuid, idle_seconds int8, most int8)
-- Expired sessions, and the oldest beyond the limit per person.
DELETE FROM session
WHERE person_id = $1
  AND (expires_at <= now() OR last_used_at <= now() - $2 * interval '1 second'
       OR id IN (SELECT id FROM session WHERE person_id = $1 ORDER BY created_at DESC, id DESC OFFSET $3))

-- name: remove write(id uuid, person_id uuid)
DELETE FROM session WHERE id = $1 AND person_id = $2

-- name: remove_all write()
-- Password tokens and recovery codes, too: one used since the backup must not become valid again.
TRUNCATE session, password_token, recovery_code

-- name: remove_others write(person_id uuid, kept uuid)
DELETE FROM session WHERE person_id = $1 AND id IS DISTINCT FROM $2
