-- write(organization_id uuid, keys text[])
-- Inbound messages that are here untold. Locks their keys, so that one transaction makes each told. One that waited for
-- a lock still returns what was before it: to be run twice, and the second answer holds.
SELECT n.key, m.id, m.contact_id
FROM unnest($2) AS n (key)
  JOIN channel_message k ON k.organization_id = $1 AND k.key = channel_key(n.key)
  JOIN message m ON m.organization_id = $1 AND m.id = k.message_id
  JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
WHERE m.direction = 'InBound' AND m.untold AND NOT c.tombstone
ORDER BY k.key
FOR NO KEY UPDATE OF k
