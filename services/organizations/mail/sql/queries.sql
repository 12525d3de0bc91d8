-- name: account read(person_id uuid, secret_hash bytea)
-- No row for a token that was used, was replaced or has expired.
SELECT p.email
FROM password_token t JOIN person p ON p.id = t.person_id
WHERE t.person_id = $1 AND t.secret_hash = $2 AND t.expires_at > now()

-- name: invitation read(organization_id uuid, id uuid, secret_hash bytea)
-- No row for an invitation that cannot be accepted any more.
SELECT i.email, o.name AS organization, i.expires_at
FROM invite i JOIN organization o ON o.organization_id = i.organization_id
WHERE i.organization_id = $1 AND i.id = $2 AND i.secret_hash = $3 AND i.accepted_at IS NULL AND i.expires_at > now()
  AND o.deleted_at IS NULL

-- name: look read()
SELECT count(*) AS waiting, count(*) FILTER (WHERE due_at <= now()) AS due FROM mail

-- name: sealed read(organization_id uuid, id uuid, most int8)
-- The mail stands in the organization's place, as in the sealed text.
SELECT m.id AS organization_id, '00000000-0000-0000-0000-000000000000'::uuid AS id, ARRAY[secret] AS sealed
FROM mail m
WHERE (m.id, '00000000-0000-0000-0000-000000000000'::uuid) > ($1, $2)
ORDER BY m.id LIMIT $3

-- name: claim write(lease_seconds int8, most int8)
UPDATE mail SET due_at = now() + $1 * interval '1 second', tries = tries + 1
WHERE id IN (SELECT id FROM mail WHERE due_at <= now() AND expires_at > now()
             ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id, kind, secret, tries

-- name: give_up write()
-- Not what is being sent: its lease has not ended.
DELETE FROM mail WHERE due_at <= now() AND expires_at <= now()

-- name: put write(id uuid, kind text, secret text, life_seconds int8, most int8)
-- No row if so many wait already.
INSERT INTO mail (id, kind, secret, expires_at)
SELECT $1, $2, $3, now() + $4 * interval '1 second'
WHERE (SELECT count(*) FROM (SELECT FROM mail LIMIT $5) waiting) < $5

-- name: remove write(id uuid)
DELETE FROM mail WHERE id = $1

-- name: remove_all write()
TRUNCATE mail

-- name: reseal write(organization_id uuid, id uuid, old text[], new text[])
UPDATE mail SET secret = $4[1] WHERE mail.id = $1 AND $2 IS NOT NULL AND ARRAY[secret] = $3

-- name: retry write(id uuid, tries int8, pause_milliseconds int8)
-- Nothing if it was claimed again meanwhile.
UPDATE mail SET due_at = least(expires_at, now() + $3 * interval '1 millisecond') WHERE id = $1 AND tries = $2

-- name: set_link write(id uuid, tries int8, secret text)
-- No row if it was claimed again meanwhile.
UPDATE mail SET kind = 'Password', secret = $3 WHERE id = $1 AND tries = $2
