-- name: find read(organization_id uuid, id uuid)
SELECT /*include conversation*/, c.version::text
FROM conversation c
WHERE c.organization_id = $1 AND c.id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone, unread_messages, version::text
FROM conversation
WHERE organization_id = $1 AND id = $2
FOR NO KEY UPDATE

-- name: count slow(organization_id uuid, statuses text[], contact_ids uuid[], member_id uuid, campaign_id uuid, initiators text[], inbound bool[])
SELECT (SELECT /*include version*/) AS version, /*include epoch*/ AS epoch,
  (SELECT count(*)
   FROM conversation c
   WHERE c.organization_id = $1 AND c.status = ANY ($2) /*if tombstones*/ AND c.tombstone /*end*/
     /*include filters*/
     /*if by_kind*/ AND c.initiated_by = ANY ($6) AND c.has_inbound = ANY ($7) /*end*/) AS count

-- name: counts read(organization_id uuid, member_id uuid, has_inbound bool)
-- Of all conversations, which are the nil member's, and of this member's.
SELECT coalesce(sum(total) FILTER (WHERE is_all AND status = 'Active'), 0)::int8 AS active,
  coalesce(sum(total) FILTER (WHERE is_all AND status = 'Closed'), 0)::int8 AS closed,
  coalesce(sum(unread) FILTER (WHERE is_all AND status = 'Active'), 0)::int8 AS unread,
  coalesce(sum(awaiting) FILTER (WHERE is_all), 0)::int8 AS awaiting,
  coalesce(sum(total) FILTER (WHERE NOT is_all AND status = 'Active'), 0)::int8 AS "assignedToMe",
  coalesce(sum(unassigned) FILTER (WHERE is_all AND status = 'Active'), 0)::int8 AS unassigned
FROM (SELECT *, member_id = '00000000-0000-0000-0000-000000000000' AS is_all
      FROM conversation_tally
      WHERE organization_id = $1 AND member_id IN ('00000000-0000-0000-0000-000000000000', $2)
        AND has_inbound = coalesce($3, has_inbound)) t

-- name: active_of read(organization_id uuid, contact_id uuid)
SELECT id FROM conversation WHERE organization_id = $1 AND contact_id = $2 AND status = 'Active'

-- name: messages read(organization_id uuid, conversation_id uuid, most int8)
SELECT id AS "uniqueId", conversation_id AS "conversationId", direction, status, message_type AS "messageType",
  created_at AS "createdAt", reply_to_message_id AS "replyToMessageId", channel_message_id AS "messagingMessageId",
  /*include short_data*/ AS "messageData", CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_code END AS "errorCode",
  CASE WHEN status IN ('Failed', 'UnDelivered') THEN error_text END AS "errorText", campaign_id AS "campaignId",
  /*include sender*/
FROM message m
WHERE organization_id = $1 AND conversation_id = $2
ORDER BY created_at DESC, id DESC
LIMIT $3

-- name: tally read(organization_id uuid, member_id uuid, statuses text[], initiators text[], inbound bool[])
-- Of all conversations only if $2 is NULL: their key, the nil id, may be asked for as if it was a member's, and is none.
SELECT coalesce(sum(total), 0)::int8 AS total, coalesce(sum(unread), 0)::int8 AS unread,
  coalesce(sum(awaiting), 0)::int8 AS awaiting, coalesce(sum(unassigned), 0)::int8 AS unassigned
FROM conversation_tally
WHERE organization_id = $1 AND member_id = coalesce($2, '00000000-0000-0000-0000-000000000000')
  AND $2 IS DISTINCT FROM '00000000-0000-0000-0000-000000000000' AND status = ANY ($3) AND initiated_by = ANY ($4)
  AND has_inbound = ANY ($5)

-- name: version read(organization_id uuid)
SELECT coalesce(sum(changes), 0)::int8 AS version, /*include epoch*/ AS epoch
FROM conversation_version
WHERE organization_id = $1 /*if of_messages*/ /*else*/ AND NOT of_unread /*end*/

-- name: wants_receipt read(organization_id uuid, conversation_id uuid)
SELECT EXISTS (
  SELECT FROM message
  WHERE organization_id = $1 AND conversation_id = $2 AND status = 'Unread' AND channel_message_id IS NOT NULL)

-- name: tags write(organization_id uuid, conversation_id uuid)
SELECT tag_id FROM conversation_tag WHERE organization_id = $1 AND conversation_id = $2 ORDER BY tag_id

-- name: add_tags write(organization_id uuid, conversation_id uuid, tag_ids uuid[])
INSERT INTO conversation_tag (organization_id, conversation_id, tag_id)
SELECT $1, $2, tag_id FROM unnest($3) AS given (tag_id) ORDER BY tag_id
ON CONFLICT DO NOTHING

-- name: start write(organization_id uuid, id uuid, contact_id uuid)
-- Locks the contact's one Active conversation, which may be new.
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status)
VALUES ($1, $2, $3, 'Member', 'Active')
ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = conversation.status
RETURNING id

-- name: assign write(organization_id uuid, id uuid, member_id uuid)
UPDATE conversation SET assigned_member_id = $3
WHERE organization_id = $1 AND id = $2 AND assigned_member_id IS DISTINCT FROM $3

-- name: read_messages write(organization_id uuid, conversation_id uuid)
-- The newest message marked as Read that came from the channel, if any.
WITH read AS (
  UPDATE message SET status = 'Read', status_at = now()
  WHERE organization_id = $1 AND conversation_id = $2 AND status = 'Unread'
  RETURNING id, created_at, channel_message_id
)
SELECT id FROM read WHERE channel_message_id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1

-- name: set_status write(organization_id uuid, id uuid, status text)
UPDATE conversation SET status = $3 WHERE organization_id = $1 AND id = $2

-- name: remove_tags write(organization_id uuid, conversation_id uuid, but uuid[])
DELETE FROM conversation_tag WHERE organization_id = $1 AND conversation_id = $2 AND tag_id <> ALL ($3)
