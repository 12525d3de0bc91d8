-- write(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone, unread_messages, version::text
FROM conversation
WHERE organization_id = $1 AND id = $2
FOR NO KEY UPDATE
