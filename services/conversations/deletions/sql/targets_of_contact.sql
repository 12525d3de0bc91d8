-- write(organization_id uuid, contact_id uuid, most int8)
-- Where they were to be reached and what they were to be told, a minute after their end: by then nobody has them at hand
-- to be sent to any more. Whom nothing was sent is left out.
WITH held AS MATERIALIZED (
  SELECT t.campaign_id, t.ordinal, t.skipped, m.id IS NOT NULL AS is_made
  FROM campaign c
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = c.id AND t.contact_id = ANY (names_of($1, $2))
    LEFT JOIN message m ON m.organization_id = $1 AND m.id = t.message_id
  WHERE c.organization_id = $1 AND (t.recipient <> '' OR t.parameters <> '{}')
    AND EXISTS (SELECT FROM removal r
                WHERE r.organization_id = $1 AND r.kind IN ('contact', 'lost contact') AND r.id = $2
                  AND r.started_at < now() - interval '1 minute')
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
), gone AS (
  UPDATE target t SET recipient = '', parameters = '{}',
    skipped = CASE WHEN held.is_made THEN t.skipped ELSE coalesce(t.skipped, 'Deleted') END
  FROM held
  WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
  RETURNING t.campaign_id, NOT held.is_made AND held.skipped IS NULL AS is_left_out
), counted AS (
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT $1, campaign_id, 'epoch', 'Skipped', 0, count(*)
  FROM gone WHERE is_left_out
  GROUP BY campaign_id ORDER BY campaign_id
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT campaign_id FROM gone
