-- write(organization_id uuid, same_id uuid, most int8)
DELETE FROM conversation_tag
WHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM conversation_tag WHERE organization_id = $1 LIMIT $3))
