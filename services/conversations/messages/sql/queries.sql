-- name: find read(organization_id uuid, id uuid)
-- Finds messages of tombstones, but of no other Deleted conversation.
SELECT /*include message*/, m.data AS "messageData", c.tombstone
FROM message m JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
WHERE m.organization_id = $1 AND m.id = $2 AND (c.status <> 'Deleted' OR c.tombstone)

-- name: find_conversation read(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone, total_messages
FROM conversation
WHERE organization_id = $1 AND id = $2 AND (status <> 'Deleted' OR tombstone)

-- name: lock_conversation write(organization_id uuid, id uuid)
SELECT c.contact_id, c.status, c.tombstone,
  (SELECT max(w.last_inbound_at) + interval '24 hours' FROM conversation w
   WHERE w.organization_id = $1 AND w.contact_id = c.contact_id) AS service_window_ends_at
FROM conversation c
WHERE c.organization_id = $1 AND c.id = $2
FOR NO KEY UPDATE OF c

-- name: long_data read(organization_id uuid, ids uuid[], most_octets int8)
-- In the order of the ids. Data is NULL as soon as the rows before it exceed most_octets together.
SELECT id, CASE WHEN coalesce(before, 0) <= $3 THEN data END AS data
FROM (
    SELECT m.id, m.data, w.position,
      sum(octet_length(m.data::text)) OVER (ORDER BY w.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM unnest($2) WITH ORDINALITY AS w (id, position) JOIN message m ON m.organization_id = $1 AND m.id = w.id
  ) m
ORDER BY position

-- name: of_conversation read(organization_id uuid, conversation_id uuid, after_at int8, after_id uuid, per_page int8, skip int8)
SELECT /*include message*/, /*include short_data*/ AS "messageData", /*include position*/
FROM message m
WHERE m.organization_id = $1 AND m.conversation_id = $2 AND /*include after*/
ORDER BY /*include order*/
LIMIT $5 OFFSET $6

-- name: referred read(organization_id uuid, conversation_id uuid, id uuid)
-- Whether the channel knows the message, so that another message can refer to it.
SELECT direction = 'InBound' OR channel_message_id IS NOT NULL
FROM message
WHERE organization_id = $1 AND conversation_id = $2 AND id = $3

-- name: insert write(organization_id uuid, id uuid, conversation_id uuid, contact_id uuid, reply_to_message_id uuid, message_type text, data jsonb,
--   sent_by text, sent_by_member uuid, sent_by_key uuid)
-- Uses the clock under the conversation's lock: messages are committed in the order of their times, so that a page
-- never gains one in its middle.
INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status, status_at,
  message_type, data, created_at, sent_by, sent_by_member, sent_by_key)
SELECT $1, $2, $3, $4, $5, 'OutBound', 'Queued', at, $6, $7, at, $8, $9, $10
FROM clock_timestamp() AS at

-- name: insert_outgoing write(organization_id uuid, message_id uuid, phone_number_id text, recipient text, expires_at timestamptz)
INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at, created_at)
SELECT $1, $2, 'Message', $3, contact_id, $4, $5, created_at
FROM message
WHERE organization_id = $1 AND id = $2

-- name: insert_receipt write(organization_id uuid, message_id uuid, phone_number_id text)
-- The contact's id replaces the recipient, which the channel does not need: receipts do not wait for messages.
INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, expires_at)
SELECT $1, $2, 'Receipt', $3, contact_id, contact_id::text, now() + interval '24 hours'
FROM message
WHERE organization_id = $1 AND id = $2 AND channel_message_id IS NOT NULL
ON CONFLICT (organization_id, message_id, kind) DO NOTHING

-- name: insert_sender write(organization_id uuid, phone_number_id text)
INSERT INTO sender (organization_id, phone_number_id)
SELECT $1, $2
WHERE NOT EXISTS (SELECT FROM sender WHERE organization_id = $1 AND phone_number_id = $2)
ON CONFLICT (organization_id, phone_number_id) DO NOTHING
