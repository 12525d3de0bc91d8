-- write(busy uuid[], holders uuid[], held int8[], lease_seconds int8, most_of_one int4, reserved int4, most int4, floor int8, world text)
-- What is due, of any organization, but not more of one webhook than it may hold up, nor of one organization than its share
-- of the places; nothing of those webhooks that are busy.
WITH due AS MATERIALIZED (
  SELECT f.place
  FROM deliveries_shared(moment(queue_floor('webhook_delivery', $8, $9)), $1, $2, $3, $5, $6, $7) AS f (place)
)
UPDATE webhook_delivery d SET due_at = clock_timestamp() + $4 * interval '1 second'
FROM due CROSS JOIN webhook w CROSS JOIN webhook_notice n
WHERE d.ctid = due.place AND w.organization_id = d.organization_id AND w.id = d.webhook_id
  AND n.organization_id = d.organization_id AND n.id = d.notice_id
RETURNING d.organization_id, d.webhook_id, d.id, d.notice_id, d.tries, n.type, n.body, w.url, w.active, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret
