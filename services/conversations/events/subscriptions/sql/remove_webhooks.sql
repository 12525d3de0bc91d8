-- write(organization_id uuid, same_id uuid, most int8)
DELETE FROM webhook
WHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM webhook WHERE organization_id = $1 LIMIT $3))
