-- write(organization_id uuid, merged_id uuid, most int8)
-- Of whom a campaign reaches under both names, one is a duplicate, unless it has its message already.
WITH held AS MATERIALIZED (
  SELECT t.campaign_id, t.ordinal, g.into_id, o.ordinal IS NOT NULL AS is_twice
  FROM merged_contact g
    JOIN campaign c ON c.organization_id = $1
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = c.id AND t.contact_id = g.contact_id
    LEFT JOIN target o ON o.organization_id = $1 AND o.campaign_id = c.id AND o.contact_id = g.into_id
    LEFT JOIN message m ON m.organization_id = $1 AND m.id = t.message_id
  WHERE g.organization_id = $1 AND g.contact_id = $2 AND (o.ordinal IS NULL OR (t.skipped IS NULL AND m.id IS NULL))
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
), moved AS (
  UPDATE target t SET contact_id = CASE WHEN held.is_twice THEN t.contact_id ELSE held.into_id END,
    skipped = CASE WHEN held.is_twice THEN 'Duplicate' ELSE t.skipped END
  FROM held
  WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
  RETURNING t.campaign_id, held.is_twice
), counted AS (
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT $1, campaign_id, 'epoch', 'Skipped', 0, count(*)
  FROM moved WHERE is_twice
  GROUP BY campaign_id ORDER BY campaign_id
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT campaign_id FROM moved
