-- write(organization_id uuid, id uuid)
-- The next twenty campaigns: name, lists and tags as last emitted, and their counts.
WITH page AS MATERIALIZED (
  SELECT organization_id, id, name, list_ids, told_tags FROM campaign
  WHERE (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT 20
), line AS (
  SELECT jsonb_build_object('type', 'campaign.described', 'organizationId', organization_id, 'campaignId', id, 'name', name,
                            'listIds', list_ids, 'tags', told_tags)::text AS text
  FROM page
  UNION ALL
  SELECT jsonb_build_object('type', 'campaign.counted', 'organizationId', organization_id, 'campaignId', id, 'quarter', quarter,
                            'counts', jsonb_object_agg(what, n))::text
  FROM page CROSS JOIN LATERAL (
    SELECT c.quarter, c.what, sum(c.n) AS n FROM campaign_count c
    WHERE c.organization_id = page.organization_id AND c.campaign_id = page.id AND c.quarter > 'epoch'
    GROUP BY c.quarter, c.what) counts
  GROUP BY organization_id, id, quarter
)
SELECT last.organization_id, last.id, (SELECT string_agg(text || E'\n', '') FROM line) AS lines
FROM (SELECT) one
  LEFT JOIN (SELECT organization_id, id FROM page ORDER BY organization_id DESC, id DESC LIMIT 1) last ON true
