-- name: lock_contacts write(organization_id uuid, contact_ids uuid[])
-- Serializes writers to the latest conversations of these contacts, which no unique index protects.
SELECT count(pg_advisory_xact_lock(hashtextextended('latest conversation ' || $1 || contact_id, 0)))
FROM (SELECT contact_id FROM unnest($2) AS contact_id ORDER BY contact_id) c

-- name: backlog read(floor int8, world text, parked_after timestamptz)
SELECT (SELECT count(*) FROM inbox_next(queue_floor('inbox', $1, $2), 10000)) AS waiting,
  coalesce(extract(epoch FROM now() - least(
    (SELECT received_at FROM inbox_next(queue_floor('inbox', $1, $2), 1)),
    (SELECT received_at FROM parked_next('{contacts, organizations}', $3)))), 0)::float8 AS oldest_seconds,
  (SELECT count(*) FROM (SELECT FROM parked_element WHERE due_at IS NULL AND kind <> 'group' LIMIT 10000) p) AS parked,
  (SELECT count(*) FROM (SELECT FROM parked_element WHERE due_at IS NOT NULL LIMIT 10000) p) AS retried,
  (SELECT count(*) FROM (SELECT FROM parked_element WHERE kind = 'group' LIMIT 10001) p) AS of_groups

-- name: list_parked slow(most int8)
SELECT id::text, field || ' ' || kind AS about, error, parked_at AS at, count(*) OVER () AS total
FROM parked_element
WHERE due_at IS NULL AND kind <> 'group'
ORDER BY id LIMIT $1

-- name: look read(floor int8, world text, parked_after timestamptz, kinds text[], all_kinds text[])
-- Whether a body is not on hold, the first body, and when the first element is due: of `kinds`, and of all kinds.
SELECT inbox_has_free(queue_floor('inbox', $1, $2)) AS has_free,
  (SELECT id FROM inbox_next(queue_floor('inbox', $1, $2), 1)) AS first,
  (SELECT due_at FROM parked_next($4, $3)) AS ready_at,
  (SELECT due_at FROM parked_next($5, $3)) AS due_at, now() AS now

-- name: finish write(ids int8[])
SELECT inbox_finish($1)

-- name: finish_parked write(ids int8[])
SELECT parked_finish($1)

-- name: hold write(inbox int8[], parked int8[], seconds int8)
SELECT inbox_hold($1, $3), parked_hold($2, $3)

-- name: keep write()
-- Keeps the connection from being taken for abandoned.
SELECT

-- name: known write(organization_id uuid, keys text[])
SELECT n.key, c.message_id
FROM unnest($2) AS n (key) JOIN channel_message c ON c.organization_id = $1 AND c.key = channel_key(n.key)

-- name: latest_conversations write(organization_id uuid, contact_ids uuid[])
SELECT DISTINCT ON (contact_id) contact_id, id
FROM conversation
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted'
ORDER BY contact_id, id DESC

-- name: park_again write(id int8, organization_id uuid, error text, retry_seconds int8, awaits text, attempts int4)
SELECT parked_again($1, $2, $3, $4, $5, $6)

-- name: take write(floor int8, world text, most int4, most_octets int8)
SELECT id, organization_id, received_at, body, 0 AS attempts, NULL::text AS awaits
FROM inbox_share(queue_floor('inbox', $1, $2), $3, $4)
ORDER BY id

-- name: take_again write(ids int8[])
SELECT id FROM inbox_take_again($1) AS id

-- name: take_parked write(kinds text[], after timestamptz, most int4)
SELECT id, organization_id, received_at, element AS body, attempts, awaits
FROM parked_share($1, $2, $3)
ORDER BY due_at, id

-- name: take_parked_again write(ids int8[])
SELECT id FROM parked_take_again($1) AS id

-- name: add_closed write(organization_id uuid, ids uuid[], contact_ids uuid[], untold bool[])
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, untold)
SELECT $1, n.id, n.contact_id, 'Contact', 'Closed', n.untold
FROM unnest($2, $3, $4) AS n (id, contact_id, untold)

-- name: claim write(organization_id uuid, keys text[], message_ids uuid[])
-- Returns the new messages. In key order, so that two transactions with the same keys do not deadlock.
INSERT INTO channel_message (organization_id, key, message_id)
SELECT $1, channel_key(n.key), n.message_id
FROM unnest($2, $3) AS n (key, message_id)
ORDER BY channel_key(n.key)
ON CONFLICT DO NOTHING
RETURNING message_id

-- name: ensure_suppressions write(organization_id uuid, contact_ids uuid[])
INSERT INTO suppression (organization_id, contact_id)
SELECT $1, contact_id FROM unnest($2) AS contact_id ORDER BY contact_id
ON CONFLICT DO NOTHING

-- name: learn write(organization_id uuid, keys text[], message_ids uuid[])
INSERT INTO channel_message (organization_id, key, message_id)
SELECT $1, channel_key(n.key), n.message_id
FROM unnest($2, $3) AS n (key, message_id)
ORDER BY channel_key(n.key)
ON CONFLICT DO NOTHING

-- name: park write(organization_id uuid, phone_number_id text, field text, kind text, element bytea, error text, received_at timestamptz, retry_seconds int8, awaits text)
WITH new AS (INSERT INTO webhook_owner VALUES (webhook_owner_of($1, $5)) ON CONFLICT DO NOTHING)
INSERT INTO parked_element (organization_id, phone_number_id, field, kind, element, error, received_at, due_at, awaits, owner)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9, webhook_owner_of($1, $5))

-- name: receive write(organization_ids uuid[], bodies bytea[])
-- New owners are added in one order, so that two transactions with the same ones do not deadlock.
WITH given AS (SELECT o, b, webhook_owner_of(o, b) AS owner FROM unnest($1, $2) AS n (o, b)),
new AS (INSERT INTO webhook_owner SELECT DISTINCT owner FROM given ORDER BY owner ON CONFLICT DO NOTHING)
INSERT INTO inbox (organization_id, body, owner) SELECT o, b, owner FROM given

-- name: replay write(id text, most int8)
UPDATE parked_element p SET due_at = now()
FROM (SELECT id FROM parked_element
      WHERE (due_at IS NULL OR due_at > now()) AND kind <> 'group' AND id::text = coalesce($1, id::text)
      ORDER BY id LIMIT $2
      FOR UPDATE) w
WHERE p.id = w.id

-- name: forget_outgoing write(organization_id uuid, message_ids uuid[])
DELETE FROM outgoing
WHERE organization_id = $1 AND kind = 'Message' AND message_id = ANY (ARRAY(
  SELECT message_id FROM outgoing
  WHERE organization_id = $1 AND kind = 'Message' AND message_id = ANY (ARRAY(SELECT unnest($2)))
  ORDER BY message_id
  FOR UPDATE))

-- name: prune_parked write(days int4, most int8)
-- Parked elements are personal data, and of no use after that time.
DELETE FROM parked_element
WHERE id = ANY (ARRAY(
  SELECT id FROM parked_element WHERE parked_at < now() - make_interval(days => $1) ORDER BY parked_at LIMIT $2))

-- name: prune_groups write(kept int8, most int8)
DELETE FROM parked_element
WHERE id = ANY (ARRAY(SELECT id FROM parked_element WHERE kind = 'group' ORDER BY id DESC OFFSET $1 LIMIT $2))
