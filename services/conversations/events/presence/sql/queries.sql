-- name: find_conversation read(organization_id uuid, id uuid)
-- Whether it is there: its contact.
SELECT contact_id FROM conversation WHERE organization_id = $1 AND id = $2 AND (status <> 'Deleted' OR tombstone)
