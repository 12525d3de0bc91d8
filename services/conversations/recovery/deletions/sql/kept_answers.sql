-- write(organization_id uuid, same_id uuid, most int8)
DELETE FROM idempotency
WHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM idempotency WHERE organization_id = $1 LIMIT $3))
