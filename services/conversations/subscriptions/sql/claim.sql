-- write(busy uuid[], lease_seconds int8, most_of_one int4, most int4)
-- What is due, of any organization, but not more of one webhook than it may hold up; nothing of those that are busy. The
-- first part walks the index from webhook to webhook, over all deliveries that wait for each.
WITH RECURSIVE waiting AS (
  (SELECT organization_id, webhook_id FROM webhook_delivery WHERE due_at IS NOT NULL
   ORDER BY organization_id, webhook_id LIMIT 1)
  UNION ALL
  SELECT next.organization_id, next.webhook_id
  FROM waiting w CROSS JOIN LATERAL (
    SELECT d.organization_id, d.webhook_id FROM webhook_delivery d
    WHERE d.due_at IS NOT NULL AND (d.organization_id, d.webhook_id) > (w.organization_id, w.webhook_id)
    ORDER BY d.organization_id, d.webhook_id LIMIT 1) next
), due AS MATERIALIZED (
  SELECT d.organization_id, d.webhook_id, d.id
  FROM waiting w CROSS JOIN LATERAL (
    SELECT o.organization_id, o.webhook_id, o.id, o.due_at FROM webhook_delivery o
    WHERE o.organization_id = w.organization_id AND o.webhook_id = w.webhook_id AND o.due_at <= now()
    ORDER BY o.due_at LIMIT $3
    FOR UPDATE SKIP LOCKED) d
  WHERE w.webhook_id <> ALL ($1)
  ORDER BY d.due_at LIMIT $4
)
UPDATE webhook_delivery d SET due_at = now() + $2 * interval '1 second'
FROM due
  JOIN webhook w ON w.organization_id = due.organization_id AND w.id = due.webhook_id
  CROSS JOIN webhook_notice n
WHERE d.organization_id = due.organization_id AND d.webhook_id = due.webhook_id AND d.id = due.id
  AND n.organization_id = d.organization_id AND n.id = d.notice_id
RETURNING d.organization_id, d.webhook_id, d.id, d.notice_id, d.tries, n.type, n.body, w.url, w.active, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret
