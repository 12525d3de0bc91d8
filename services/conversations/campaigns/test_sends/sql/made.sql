-- write(organization_id uuid, ids uuid[])
SELECT id, conversation_id, contact_id, created_at
FROM message
WHERE organization_id = $1 AND id = ANY ($2)
ORDER BY id
