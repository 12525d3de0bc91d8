-- name: begin_lost write(organization_id uuid, ids uuid[])
-- Contacts that are missing without a deletion event were deleted, or lost by a restored backup, or are about to be
-- restored. Their messages are kept for 7 days, until that restore can no longer come.
INSERT INTO removal (organization_id, kind, id, due_at)
SELECT DISTINCT $1, 'lost contact', id, now() + interval '7 days' FROM unnest($2) AS lost(id) ORDER BY id
ON CONFLICT DO NOTHING

-- name: bury write(organization_id uuid, contact_ids uuid[])
-- Makes conversations tombstones. Locks them in key order, as all that lock several.
WITH old AS (
  SELECT id, contact_id, status
  FROM conversation
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted'
  ORDER BY id
  FOR NO KEY UPDATE
)
UPDATE conversation c SET status = 'Deleted', tombstone = true
FROM old
WHERE c.organization_id = $1 AND c.id = old.id
RETURNING c.id, c.contact_id, old.status

-- name: exhume write(organization_id uuid, contact_ids uuid[])
-- Closes the conversations of restored contacts. A new message begins another conversation.
WITH old AS (
  SELECT id
  FROM conversation
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND tombstone
  ORDER BY id
  FOR NO KEY UPDATE
)
UPDATE conversation c SET status = 'Closed', tombstone = false
FROM old
WHERE c.organization_id = $1 AND c.id = old.id
RETURNING c.id, c.contact_id, 'Deleted' AS status

-- name: messages_of_contact write(organization_id uuid, contact_id uuid, most int8)
-- Removes contents, and the channel's message id, which contains a phone number.
UPDATE message SET data = CASE message_type WHEN 'Text' THEN '{"text": ""}' ELSE '{}' END::jsonb,
  channel_message_id = NULL, error_text = NULL
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT m.id
  FROM conversation c JOIN message m ON m.organization_id = $1 AND m.conversation_id = c.id
  WHERE c.organization_id = $1 AND c.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
    AND (m.data <> CASE m.message_type WHEN 'Text' THEN '{"text": ""}' ELSE '{}' END::jsonb
      OR m.channel_message_id IS NOT NULL OR m.error_text IS NOT NULL)
  LIMIT $3))

-- name: media_chunks_of_contact write(organization_id uuid, contact_id uuid, most int8)
-- Before the contents of messages, with which the files would go in steps without bound.
DELETE FROM media_chunk
WHERE organization_id = $1 AND (message_id, number) IN (
  SELECT k.message_id, k.number
  FROM conversation c JOIN message m ON m.organization_id = $1 AND m.conversation_id = c.id
    JOIN media_chunk k ON k.organization_id = $1 AND k.message_id = m.id
  WHERE c.organization_id = $1 AND c.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
  LIMIT $3)

-- name: media_files_of_contact write(organization_id uuid, contact_id uuid, most int8)
DELETE FROM media_file
WHERE organization_id = $1 AND message_id = ANY (ARRAY(
  SELECT f.message_id
  FROM conversation c JOIN message m ON m.organization_id = $1 AND m.conversation_id = c.id
    JOIN media_file f ON f.organization_id = $1 AND f.message_id = m.id
  WHERE c.organization_id = $1 AND c.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
  LIMIT $3))

-- name: media_chunks_of_conversation write(organization_id uuid, conversation_id uuid, most int8)
DELETE FROM media_chunk
WHERE organization_id = $1 AND (message_id, number) IN (
  SELECT k.message_id, k.number
  FROM message m JOIN media_chunk k ON k.organization_id = $1 AND k.message_id = m.id
  WHERE m.organization_id = $1 AND m.conversation_id = $2
  LIMIT $3)

-- name: media_files_of_conversation write(organization_id uuid, conversation_id uuid, most int8)
DELETE FROM media_file
WHERE organization_id = $1 AND message_id = ANY (ARRAY(
  SELECT f.message_id
  FROM message m JOIN media_file f ON f.organization_id = $1 AND f.message_id = m.id
  WHERE m.organization_id = $1 AND m.conversation_id = $2
  LIMIT $3))

-- name: move_messages write(organization_id uuid, merged_id uuid, most int8)
-- Messages of conversations that were moved.
UPDATE message m SET contact_id = held.into_id
FROM (SELECT x.id, g.into_id
      FROM merged_contact g
        JOIN conversation c ON c.organization_id = $1 AND c.contact_id = g.into_id
        JOIN message x ON x.organization_id = $1 AND x.conversation_id = c.id AND x.contact_id = g.contact_id
      WHERE g.organization_id = $1 AND g.contact_id = $2
      ORDER BY x.id LIMIT $3
      FOR NO KEY UPDATE OF x) held
WHERE m.organization_id = $1 AND m.id = held.id

-- name: move_outgoing write(organization_id uuid, merged_id uuid, most int8)
UPDATE outgoing o SET contact_id = g.into_id
FROM merged_contact g
WHERE g.organization_id = $1 AND g.contact_id = $2 AND o.organization_id = $1 AND o.contact_id = $2 AND $3 > 0

-- name: notes_of_contact write(organization_id uuid, contact_id uuid, most int8)
DELETE FROM note
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT n.id
  FROM conversation c JOIN note n ON n.organization_id = $1 AND n.conversation_id = c.id
  WHERE c.organization_id = $1 AND c.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
  LIMIT $3))

-- name: chunks_of_campaign write(organization_id uuid, campaign_id uuid, most int8)
DELETE FROM chunk
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM chunk WHERE organization_id = $1 AND campaign_id = $2 LIMIT $3))
  /*include settled*/

-- name: end_lost write(organization_id uuid, ids uuid[])
DELETE FROM removal
WHERE organization_id = $1 AND kind = 'lost contact' AND id = ANY (ARRAY(SELECT unnest($2))) AND due_at > now()
RETURNING id

-- name: forget_merged write(organization_id uuid, merged_id uuid)
-- A trigger keeps the row while a campaign may still reach the contact; campaigns' forget_merged then deletes it.
DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $2

-- name: retargets_of_campaign write(organization_id uuid, campaign_id uuid, most int8)
-- Excludes unfinished ones, which end by themselves.
DELETE FROM retarget
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM retarget
  WHERE organization_id = $1 AND campaign_id = $2 AND finished_at IS NOT NULL LIMIT $3))

-- name: suppression_of_contact write(organization_id uuid, contact_id uuid, most int8)
-- At most one row per contact id, so `most` is not needed.
DELETE FROM suppression WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2)))) AND $3 > 0

-- name: targets_of_campaign write(organization_id uuid, campaign_id uuid, most int8)
DELETE FROM target
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM target WHERE organization_id = $1 AND campaign_id = $2 LIMIT $3))
  /*include settled*/
