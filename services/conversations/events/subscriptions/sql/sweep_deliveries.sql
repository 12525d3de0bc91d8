-- write(days int8, most int4)
-- The log of any organization, once it is old; what waits for its turn does not get that old.
DELETE FROM webhook_delivery
WHERE (organization_id, webhook_id, id) IN (
  SELECT organization_id, webhook_id, id FROM webhook_delivery
  WHERE created_at < now() - $1 * interval '1 day' AND state <> 'Pending'
  ORDER BY created_at LIMIT $2
  FOR UPDATE SKIP LOCKED)
