-- name: find read(organization_id uuid, id uuid)
-- Hides messages of deleted conversations; the messages of a deleted contact no longer have a media id.
SELECT m.message_type, m.data->>'id' AS media_id, m.data->>'mimeType' AS mime_type, m.data->>'fileName' AS file_name
FROM message m
JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id AND c.status <> 'Deleted'
WHERE m.organization_id = $1 AND m.id = $2
  AND m.message_type IN ('Image', 'Video', 'Audio', 'Document', 'Sticker')
