-- write(organization_id uuid, conversation_id uuid, but uuid[])
DELETE FROM conversation_tag WHERE organization_id = $1 AND conversation_id = $2 AND tag_id <> ALL ($3)
