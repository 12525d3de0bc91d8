-- name: find read(id uuid)
SELECT id AS "uniqueId", name, email, created_at AS "createdAt", password_hash IS NOT NULL AS "hasPassword",
  second_factor_at, (SELECT count(*) FROM recovery_code r WHERE r.person_id = person.id) AS recovery_codes
FROM person
WHERE id = $1

-- name: find_account read(id uuid)
SELECT id, password_hash, second_factor_at IS NOT NULL AS has_second_factor FROM person WHERE id = $1

-- name: find_by_email read(email text)
SELECT id, password_hash, second_factor_at IS NOT NULL AS has_second_factor FROM person WHERE lower(email) = lower($1)

-- name: find_for_mail read(email text)
-- A row for each address, so that all are counted alike.
SELECT lower($1) AS address, (SELECT id FROM person WHERE lower(email) = lower($1)) AS id

-- name: find_token read(person_id uuid)
SELECT secret_hash FROM password_token WHERE person_id = $1 AND expires_at > now()

-- name: lock write(id uuid)
SELECT address_proved_at IS NOT NULL AS is_proved FROM person WHERE id = $1 FOR NO KEY UPDATE

-- name: lock_by_email write(email text)
SELECT id FROM person WHERE lower(email) = lower($1) FOR NO KEY UPDATE

-- name: attempts_lock write(subjects bytea[])
-- In the order in which attempts_count locks them.
SELECT subject FROM sign_in_attempt WHERE subject = ANY($1) ORDER BY subject FOR UPDATE

-- name: attempts_locked read(subjects bytea[])
SELECT coalesce(ceil(max(extract(epoch FROM locked_until - now()))), 0)::int8 AS seconds
FROM sign_in_attempt
WHERE subject = ANY($1) AND locked_until > now()

-- name: memberships read(person_id uuid)
-- Memberships from before a take-over of the address come last.
SELECT o.organization_id AS "uniqueId", o.name, m.id AS "memberId", m.access_level AS "accessLevel"
FROM member m JOIN organization o ON o.organization_id = m.organization_id JOIN person p ON p.id = m.person_id
WHERE m.person_id = $1 AND o.deleted_at IS NULL
ORDER BY coalesce(m.created_at < p.taken_over_at, false), m.created_at, m.organization_id

-- name: networks_find read(person_id uuid, network bytea, days int8)
SELECT EXISTS (SELECT FROM known_network
               WHERE person_id = $1 AND network = $2 AND seen_at > now() - $3 * interval '1 day')

-- name: ensure write(id uuid, email text, name text)
-- The no-op update returns and locks an existing row.
INSERT INTO person (id, email, name, address_proved_at)
VALUES ($1, $2, $3, now())
ON CONFLICT (lower(email)) DO UPDATE SET email = person.email
RETURNING id, address_proved_at IS NOT NULL AS is_proved, password_hash IS NOT NULL AS has_password

-- name: insert write(id uuid, email text, name text, password_hash text)
INSERT INTO person (id, email, name, password_hash)
VALUES ($1, $2, $3, $4)
ON CONFLICT (lower(email)) DO NOTHING
RETURNING id

-- name: networks_remember write(person_id uuid, network bytea)
INSERT INTO known_network (person_id, network)
VALUES ($1, $2)
ON CONFLICT (person_id, network) DO UPDATE SET seen_at = now()

-- name: put_token write(person_id uuid, secret_hash bytea, life_seconds int8)
INSERT INTO password_token (person_id, secret_hash, expires_at)
VALUES ($1, $2, date_trunc('milliseconds', now() + $3 * interval '1 second'))
ON CONFLICT (person_id) DO UPDATE SET secret_hash = excluded.secret_hash, expires_at = excluded.expires_at
RETURNING expires_at

-- name: rename write(id uuid, name text)
UPDATE person SET name = $2 WHERE id = $1

-- name: reset_password write(id uuid, password_hash text)
UPDATE person SET password_hash = $2, address_proved_at = coalesce(address_proved_at, now()) WHERE id = $1

-- name: set_password write(id uuid, old_hash text, password_hash text)
-- No row if the password has changed since it was verified.
UPDATE person SET password_hash = $3 WHERE id = $1 AND password_hash = $2

-- name: take_over write(id uuid, email text, name text)
-- Not now(), the start of the transaction: transactions that this one waited for may have created memberships since.
UPDATE person SET email = $2, name = $3, password_hash = NULL, address_proved_at = clock_timestamp(),
  taken_over_at = clock_timestamp()
WHERE id = $1

-- name: attempts_forget write(cleared bytea[], taken_back bytea[])
-- After a success: cleared subjects start anew; the others lose this attempt and the pause that it started.
WITH cleared AS (DELETE FROM sign_in_attempt WHERE subject = ANY($1))
UPDATE sign_in_attempt SET failures = greatest(failures - 1, 0), locked_until = '-infinity' WHERE subject = ANY($2)

-- name: attempts_touch write(subjects bytea[])
-- A write that changes nothing.
UPDATE sign_in_attempt SET free = free
WHERE subject IN (SELECT subject FROM sign_in_attempt WHERE subject = ANY($1) ORDER BY subject FOR UPDATE)

-- name: attempts_prune write(window_seconds int8)
-- A few with each attempt are enough.
DELETE FROM sign_in_attempt
WHERE subject IN (SELECT subject FROM sign_in_attempt
                  WHERE last_at < now() - 2 * $1 * interval '1 second'
                    AND last_at < now() - 2 * window_seconds * interval '1 second'
                  ORDER BY last_at LIMIT 20 FOR UPDATE SKIP LOCKED)

-- name: forget_token write(person_id uuid)
DELETE FROM password_token WHERE person_id = $1

-- name: networks_forget write(person_id uuid)
DELETE FROM known_network WHERE person_id = $1

-- name: networks_prune write(person_id uuid, most int8, days int8)
-- Skips rows locked by others; they are pruned later.
DELETE FROM known_network
WHERE person_id = $1
  AND network IN (SELECT network FROM known_network
                  WHERE person_id = $1
                    AND (seen_at < now() - $3 * interval '1 day'
                         OR network IN (SELECT network FROM known_network WHERE person_id = $1
                                        ORDER BY seen_at DESC, network OFFSET $2))
                  FOR UPDATE SKIP LOCKED)

-- name: remove_token write(person_id uuid, secret_hash bytea)
DELETE FROM password_token WHERE person_id = $1 AND secret_hash = $2 AND expires_at > now()
