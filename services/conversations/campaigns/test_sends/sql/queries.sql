-- name: made write(organization_id uuid, ids uuid[])
SELECT id, conversation_id, contact_id, created_at
FROM message
WHERE organization_id = $1 AND id = ANY ($2)
ORDER BY id

-- name: suppressed write(organization_id uuid, contact_ids uuid[])
SELECT contact_id, opted_out, blocked
FROM suppression
WHERE organization_id = $1 AND contact_id = ANY ($2) AND (opted_out OR blocked)
