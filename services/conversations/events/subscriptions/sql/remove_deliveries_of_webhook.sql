-- write(organization_id uuid, webhook_id uuid, most int8)
DELETE FROM webhook_delivery
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM webhook_delivery WHERE organization_id = $1 AND webhook_id = $2 LIMIT $3))
