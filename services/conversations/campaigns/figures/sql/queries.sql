-- name: campaign read(organization_id uuid, id uuid)
SELECT status, variants, audience_done, experiment IS NOT NULL AS has_experiment
FROM campaign WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: figures read(organization_id uuid, campaign_id uuid)
SELECT f.variant, f.what, f.reason, sum(f.n)::int8 AS n
FROM campaign_figure f
WHERE f.organization_id = $1 AND f.campaign_id = $2
GROUP BY f.variant, f.what, f.reason HAVING sum(f.n) <> 0
UNION ALL
SELECT m.variant, 'InDoubt', '', count(*)
FROM outgoing o CROSS JOIN LATERAL (
  SELECT m.variant FROM message m WHERE m.organization_id = $1 AND m.id = o.message_id LIMIT 1) m
WHERE o.organization_id = $1 AND o.campaign_id = $2 AND o.kind = 'Message' AND o.state = 'InDoubt'
  AND m.variant IS NOT NULL
GROUP BY m.variant
ORDER BY variant, what, reason

-- name: hours read(organization_id uuid, campaign_id uuid, days int4)
-- Messages by the hour in which they were made, as they are now; replies and clicks by that in which they came. Of the first
-- $3 days. Hours of the campaign's time zone: a quarter of an hour is in one.
WITH zone AS MATERIALIZED (
  SELECT c.timezone, (
    SELECT min(n.quarter) FROM campaign_count n
    WHERE n.organization_id = $1 AND n.campaign_id = $2 AND n.quarter > 'epoch') AS first
  FROM campaign c WHERE c.organization_id = $1 AND c.id = $2
)
SELECT date_trunc('hour', n.quarter, zone.timezone) AS hour,
  to_char(date_trunc('hour', n.quarter, zone.timezone) AT TIME ZONE zone.timezone, 'YYYY-MM-DD"T"HH24:MI') AS label,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'Sent'), 0)::int8 AS sent,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'Delivered'), 0)::int8 AS delivered,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'Read'), 0)::int8 AS read,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'Failed'), 0)::int8 AS failed,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'UnDelivered'), 0)::int8 AS undelivered,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'RepliesAt'), 0)::int8 AS replies,
  coalesce(sum(n.n) FILTER (WHERE n.what = 'ClicksAt'), 0)::int8 AS clicks
FROM zone, campaign_count n
WHERE n.organization_id = $1 AND n.campaign_id = $2 AND n.quarter > 'epoch'
  AND n.quarter < zone.first + $3 * interval '1 day'
GROUP BY 1, 2
ORDER BY 1
