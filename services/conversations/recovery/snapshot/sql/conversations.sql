-- write(organization_id uuid, id uuid)
-- The next ten thousand conversations, by initiator and quarter (time of the id), as conversation.created is counted.
WITH page AS MATERIALIZED (
  SELECT organization_id, id, created_at, initiated_by, untold FROM conversation
  WHERE (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT 10000
), counted AS (
  SELECT organization_id, /*include birth*/ AS quarter, initiated_by, count(*) AS n
  FROM page WHERE NOT untold GROUP BY 1, 2, 3
), line AS (
  SELECT jsonb_build_object('type', 'conversation.counted', 'organizationId', organization_id, 'quarter', quarter,
                            'counts', jsonb_object_agg(initiated_by, n))::text AS text
  FROM counted GROUP BY organization_id, quarter
)
SELECT last.organization_id, last.id, (SELECT string_agg(text || E'\n', '') FROM line) AS lines
FROM (SELECT) one
  LEFT JOIN (SELECT organization_id, id FROM page ORDER BY organization_id DESC, id DESC LIMIT 1) last ON true
