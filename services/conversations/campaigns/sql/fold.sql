-- write(most int8)
-- For all organizations. Skips locked rows to avoid deadlocks; a writer of a deleted row waits, then inserts.
WITH past AS MATERIALIZED (
  SELECT organization_id, campaign_id, quarter, what, slot
  FROM campaign_count
  WHERE slot >= 0 AND quarter > 'epoch' AND quarter < now() - interval '45 minutes'
  ORDER BY quarter LIMIT $1
  FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM campaign_count c USING past p
  WHERE c.organization_id = p.organization_id AND c.campaign_id = p.campaign_id AND c.quarter = p.quarter
    AND c.what = p.what AND c.slot = p.slot
  RETURNING c.organization_id, c.campaign_id, c.quarter, c.what, c.n
), folded AS (
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT * FROM (
    SELECT organization_id, campaign_id, quarter, what, -1 AS slot, sum(n) AS n FROM gone GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT organization_id, campaign_id, '-infinity', 'Folded ' || what, 0, sum(n) FROM gone GROUP BY 1, 2, 4) f
  ORDER BY organization_id, campaign_id, quarter, what, slot
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT count(*) FROM gone
