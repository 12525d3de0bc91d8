-- read(organization_id uuid, id uuid)
-- Not those of a Deleted conversation, but of a tombstone.
SELECT /*include message*/, m.data AS "messageData", c.tombstone
FROM message m JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
WHERE m.organization_id = $1 AND m.id = $2 AND (c.status <> 'Deleted' OR c.tombstone)
