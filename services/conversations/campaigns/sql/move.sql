-- write(organization_id uuid, id uuid, from_status text, to_status text, reason text)
WITH old AS (
  SELECT started_at IS NULL AS is_new FROM campaign
  WHERE organization_id = $1 AND id = $2 AND status = $3 AND deleted_at IS NULL
  FOR NO KEY UPDATE
)
UPDATE campaign c SET status = $4, status_reason = $5, updated_at = now(),
  started_at = CASE $4 WHEN 'Running' THEN coalesce(c.started_at, now()) ELSE c.started_at END,
  finished_at = CASE WHEN $4 IN ('Cancelled', 'Finished') THEN now() END
FROM old
WHERE c.organization_id = $1 AND c.id = $2
RETURNING $4 = 'Running' AND old.is_new AS first, c.list_ids AS "listIds"
