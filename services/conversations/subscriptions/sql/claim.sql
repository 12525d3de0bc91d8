-- write(busy uuid[], lease_seconds int8, most_of_one int4, most int4, floor int8, world text)
-- What is due, of any organization, but not more of one webhook than it may hold up; nothing of those that are busy.
WITH due AS MATERIALIZED (
  SELECT f.place FROM deliveries_due(moment(queue_floor('webhook_delivery', $5, $6)), $1, $3, $4) AS f (place)
)
UPDATE webhook_delivery d SET due_at = clock_timestamp() + $2 * interval '1 second'
FROM due CROSS JOIN webhook w CROSS JOIN webhook_notice n
WHERE d.ctid = due.place AND w.organization_id = d.organization_id AND w.id = d.webhook_id
  AND n.organization_id = d.organization_id AND n.id = d.notice_id
RETURNING d.organization_id, d.webhook_id, d.id, d.notice_id, d.tries, n.type, n.body, w.url, w.active, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret
