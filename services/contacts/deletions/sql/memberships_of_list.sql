-- write(organization_id uuid, list_id uuid, most int8)
DELETE FROM membership
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM membership WHERE organization_id = $1 AND list_id = $2 LIMIT $3))
