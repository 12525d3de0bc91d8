-- read(organization_id uuid, starts timestamptz, ends timestamptz, unit text, zone text)
-- A row per day or hour of the zone that the span touches, including empty ones. The steps of the series are shorter
-- than any day or hour of any zone, so that none is skipped when clocks change.
/*include slots*/
/*include sums*/
FROM ranged
CROSS JOIN LATERAL (
  SELECT sum(recipients) AS recipients, sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read,
         sum(failed) AS failed, sum(undelivered) AS undelivered, sum(replied) AS replied, sum(engaged) AS engaged,
         sum(replies) AS replies, sum(conversations) AS conversations, sum(replies_at) AS replies_at,
         sum(clicks_at) AS clicks_at
  FROM organization_rollup
  WHERE organization_id = $1 AND bucket >= starts AND bucket < ends
) sums
ORDER BY date
