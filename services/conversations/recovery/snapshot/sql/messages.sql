-- write(organization_id uuid, id uuid)
-- The next ten thousand messages, as message.created and message.status are counted: inbound by creation time, outbound
-- by the time in their ids. Includes campaigns' messages.
WITH page AS MATERIALIZED (
  SELECT organization_id, id, created_at, direction, status, campaign_id, untold FROM message
  WHERE (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT 10000
), counted AS (
  SELECT organization_id,
         CASE direction WHEN 'InBound' THEN date_bin('15 minutes', created_at, 'epoch') ELSE /*include birth*/ END AS quarter,
         CASE direction WHEN 'InBound' THEN direction ELSE status END AS what, count(*) AS n
  FROM page WHERE NOT untold AND (direction = 'InBound' OR campaign_id IS NULL) GROUP BY 1, 2, 3
), line AS (
  SELECT jsonb_build_object('type', 'message.counted', 'organizationId', organization_id, 'quarter', quarter,
                            'counts', jsonb_object_agg(what, n))::text AS text
  FROM counted GROUP BY organization_id, quarter
)
SELECT last.organization_id, last.id, (SELECT string_agg(text || E'\n', '') FROM line) AS lines
FROM (SELECT) one
  LEFT JOIN (SELECT organization_id, id FROM page ORDER BY organization_id DESC, id DESC LIMIT 1) last ON true
