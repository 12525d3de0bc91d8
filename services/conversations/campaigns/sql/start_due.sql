-- write(most int4)
-- Starts due campaigns of all organizations, each once for all workers. One found too late is Paused until resumed.
-- Starts none while a restored database awaits after-restore: they may have started since the backup.
WITH due AS MATERIALIZED (
  SELECT organization_id, id, started_at IS NULL AS is_new,
    CASE WHEN now() > scheduled_at + allowed_lateness * interval '1 second' THEN 'Paused' ELSE 'Running' END AS next
  FROM campaign
  WHERE status = 'Scheduled' AND scheduled_at <= now() AND NOT is_restored()
  ORDER BY scheduled_at LIMIT $1
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE campaign c SET status = due.next, updated_at = now(),
  status_reason = CASE due.next WHEN 'Paused' THEN
    'it was to start at ' || to_char(c.scheduled_at AT TIME ZONE c.timezone, 'YYYY-MM-DD HH24:MI') || ' (' || c.timezone ||
    ') and could not until later than the ' || c.allowed_lateness || ' seconds that are allowed: resume it to start now'
    ELSE '' END,
  started_at = CASE due.next WHEN 'Running' THEN coalesce(c.started_at, now()) ELSE c.started_at END
FROM due
WHERE c.organization_id = due.organization_id AND c.id = due.id
RETURNING c.organization_id AS "organizationId", c.id AS "campaignId", 'Scheduled' AS "from", c.status AS "to",
  c.status_reason AS reason, due.next = 'Running' AND due.is_new AS first, c.list_ids AS "listIds"
