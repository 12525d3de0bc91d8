-- write(organization_id uuid, id uuid)
-- Counts the next 10,000 contacts by the quarter of their id's time, as consumers count them. Deleted ones are missing.
WITH page AS MATERIALIZED (
  SELECT organization_id, id FROM contact
  WHERE (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT 10000
), counted AS (
  SELECT organization_id, date_bin('15 minutes', to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0), 'epoch') AS quarter,
         count(*) AS n
  FROM page GROUP BY 1, 2
)
SELECT last.organization_id, last.id,
       (SELECT string_agg(jsonb_build_object('type', 'contact.counted', 'organizationId', organization_id, 'quarter', quarter,
                                             'created', n)::text || E'\n', '')
        FROM counted) AS lines
FROM (SELECT) one LEFT JOIN (SELECT * FROM page ORDER BY organization_id DESC, id DESC LIMIT 1) last ON true
