-- name: add_to_counters write(organization_id uuid, slot int8, campaign_ids uuid[], quarters timestamptz[], whats text[], numbers int8[])
INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
SELECT $1, a.campaign_id, a.quarter, a.what, $2, a.n
FROM unnest($3, $4, $5, $6) WITH ORDINALITY AS a (campaign_id, quarter, what, n, place)
ORDER BY a.place
ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
