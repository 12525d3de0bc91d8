-- write(organization_id uuid, conversation_id uuid, tag_ids uuid[])
INSERT INTO conversation_tag (organization_id, conversation_id, tag_id)
SELECT $1, $2, tag_id FROM unnest($3) AS given (tag_id) ORDER BY tag_id
ON CONFLICT DO NOTHING
