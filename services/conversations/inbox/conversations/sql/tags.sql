-- write(organization_id uuid, conversation_id uuid)
SELECT tag_id FROM conversation_tag WHERE organization_id = $1 AND conversation_id = $2 ORDER BY tag_id
