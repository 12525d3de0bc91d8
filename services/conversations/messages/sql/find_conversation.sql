-- read(organization_id uuid, id uuid)
SELECT contact_id, status, tombstone, total_messages
FROM conversation
WHERE organization_id = $1 AND id = $2 AND (status <> 'Deleted' OR tombstone)
