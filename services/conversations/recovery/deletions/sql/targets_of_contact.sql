-- write(organization_id uuid, contact_id uuid, most int8)
-- Clears recipient and parameters, but only one minute after the contact's end, when no dispatcher has the target in
-- memory any more. A target without a message becomes Skipped.
-- Finds targets first, then looks each up by both keys, so that any index leads to one row.
WITH found AS MATERIALIZED (
  SELECT f.campaign_id, f.ordinal, f.contact_id
  FROM unnest(names_of($1, $2)) AS n (contact_id)
    CROSS JOIN campaign c
    CROSS JOIN LATERAL target_of($1, c.id, n.contact_id) f
  WHERE c.organization_id = $1 AND (f.recipient <> '' OR f.parameters <> '{}')
), held AS MATERIALIZED (
  SELECT t.campaign_id, t.ordinal, t.contact_id, t.skipped,
    (SELECT m.id FROM message m
     WHERE m.organization_id = $1 AND (m.organization_id, m.id) >= ($1, t.message_id)
     ORDER BY m.organization_id, m.id LIMIT 1) IS NOT DISTINCT FROM t.message_id AS is_made
  FROM found
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = found.campaign_id AND t.ordinal = found.ordinal
      AND t.contact_id = found.contact_id
  WHERE EXISTS (SELECT FROM removal r
                WHERE r.organization_id = $1 AND r.kind IN ('contact', 'lost contact') AND r.id = $2
                  AND r.started_at < now() - interval '1 minute')
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
), gone AS (
  UPDATE target t SET recipient = '', parameters = '{}',
    skipped = CASE WHEN held.is_made THEN t.skipped ELSE coalesce(t.skipped, 'Deleted') END
  FROM held
  WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
    AND t.contact_id = held.contact_id
  RETURNING t.campaign_id, NOT held.is_made AND held.skipped IS NULL AS is_left_out
), counted AS (
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT $1, campaign_id, 'epoch', 'Skipped', 0, count(*)
  FROM gone WHERE is_left_out
  GROUP BY campaign_id ORDER BY campaign_id
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT campaign_id FROM gone
