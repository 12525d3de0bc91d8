-- name: find read(organization_id uuid, id uuid)
SELECT /*include note*/, c.contact_id, n.version::text
FROM note n JOIN conversation c ON c.organization_id = $1 AND c.id = n.conversation_id
WHERE n.organization_id = $1 AND n.id = $2 AND c.status <> 'Deleted'

-- name: find_conversation read(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone FROM conversation WHERE organization_id = $1 AND id = $2

-- name: of_conversation read(organization_id uuid, conversation_id uuid, after uuid, per_page int8)
SELECT /*include note*/
FROM note n
WHERE n.organization_id = $1 AND n.conversation_id = $2
  /*if after*/ AND n.id /*if ascending*/ > /*else*/ < /*end*/ $3 /*end*/
ORDER BY n.id /*if ascending*/ /*else*/ DESC /*end*/
LIMIT $4

-- name: lock_conversation write(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone FROM conversation WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include note*/, c.contact_id, n.version::text
FROM note n JOIN conversation c ON c.organization_id = $1 AND c.id = n.conversation_id
WHERE n.organization_id = $1 AND n.id = $2 AND c.status <> 'Deleted'
FOR NO KEY UPDATE OF n

-- name: insert write(organization_id uuid, id uuid, conversation_id uuid, text text, mentions uuid[], member_id uuid, key_id uuid)
INSERT INTO note AS n (organization_id, id, conversation_id, text, mentions, written_by_member, written_by_key)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING /*include note*/

-- name: update write(organization_id uuid, id uuid, text text, mentions uuid[])
UPDATE note n SET text = $3, mentions = $4, edited_at = clock_timestamp()
WHERE n.organization_id = $1 AND n.id = $2
RETURNING /*include note*/

-- name: remove write(organization_id uuid, id uuid)
DELETE FROM note WHERE organization_id = $1 AND id = $2
