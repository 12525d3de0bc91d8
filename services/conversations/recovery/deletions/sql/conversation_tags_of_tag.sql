-- write(organization_id uuid, tag_id uuid, most int8)
DELETE FROM conversation_tag
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM conversation_tag WHERE organization_id = $1 AND tag_id = $2 LIMIT $3))
