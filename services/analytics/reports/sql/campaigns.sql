-- read(organization_id uuid, starts timestamptz, ends timestamptz, unit text, zone text)
-- A row a day (or an hour) of the zone that the span touches, first the empty ones too. Steps shorter than any day or hour
-- of any zone, clocks being put forward or not, meet each; the last may be shorter still.
WITH slot AS MATERIALIZED (
  SELECT DISTINCT date_trunc($4, moment, $5) AS date
  FROM (SELECT generate_series($2, $3 - interval '15 minutes',
                               CASE $4 WHEN 'hour' THEN interval '15 minutes' ELSE interval '6 hours' END)
        UNION ALL SELECT $3 - interval '15 minutes') m (moment)
), ranged AS (
  SELECT date, greatest(date, $2) AS starts, coalesce(lead(date) OVER (ORDER BY date), $3) AS ends FROM slot
)
SELECT date, to_char(date AT TIME ZONE $5, CASE $4 WHEN 'hour' THEN 'YYYY-MM-DD"T"HH24:MI' ELSE 'YYYY-MM-DD' END) AS label,
       coalesce(recipients, 0) AS recipients, coalesce(sent, 0) AS sent, coalesce(delivered, 0) AS delivered,
       coalesce(read, 0) AS read, coalesce(failed, 0) AS failed, coalesce(undelivered, 0) AS undelivered,
       coalesce(replied, 0) AS replied, coalesce(engaged, 0) AS engaged, coalesce(replies, 0) AS replies,
       coalesce(conversations, 0) AS conversations, coalesce(replies_at, 0) AS replies_at,
       coalesce(clicks_at, 0) AS clicks_at
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
