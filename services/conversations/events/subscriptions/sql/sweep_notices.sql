-- write(days int8, most int4)
-- Of any organization, when no delivery of it can wait any more.
DELETE FROM webhook_notice
WHERE (organization_id, id) IN (
  SELECT organization_id, id FROM webhook_notice
  WHERE created_at < now() - ($1 + 2) * interval '1 day'
  ORDER BY created_at LIMIT $2
  FOR UPDATE SKIP LOCKED)
