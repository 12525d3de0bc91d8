-- write(most int4)
-- The figures of Running campaigns of all organizations, each at most once a second for all workers together. A
-- campaign is done when its audience is complete, all chunks are done, nothing waits for a retry and no rest for a winner.
WITH due AS MATERIALIZED (
  SELECT c.organization_id, c.id, c.audience_done, c.experiment IS NOT NULL AND c.winner IS NULL AS is_undecided
  FROM campaign c LEFT JOIN campaign_rate r ON r.organization_id = c.organization_id AND r.campaign_id = c.id
  WHERE c.status = 'Running' AND (r.at IS NULL OR r.at <= now() - interval '1 second')
  ORDER BY r.at NULLS FIRST LIMIT $1
), standing AS MATERIALIZED (
  SELECT w.*, n.*, d.in_doubt,
    ARRAY[n.targets, n.skipped, n.queued, n.sent, n.delivered, n.read, n.failed, n.undelivered, d.in_doubt] AS figures,
    w.audience_done AND NOT w.is_undecided
      AND NOT EXISTS (SELECT FROM chunk k
                      WHERE k.organization_id = w.organization_id AND k.campaign_id = w.id AND NOT k.done)
      AND NOT EXISTS (SELECT FROM outgoing o
                      WHERE o.organization_id = w.organization_id AND o.campaign_id = w.id
                        AND o.state IN ('Due', 'Sending')) AS is_done
  FROM due w
  /*include standing*/
), before AS MATERIALIZED (
  SELECT r.organization_id, r.campaign_id, r.rate, r.figures
  FROM standing s JOIN campaign_rate r ON r.organization_id = s.organization_id AND r.campaign_id = s.id
), told AS (
  INSERT INTO campaign_rate AS r (organization_id, campaign_id, since, at, accepted, rate, figures)
  SELECT organization_id, id, now(), now(), sent + delivered + read + failed + undelivered, 0, figures
  FROM standing
  ORDER BY organization_id, id
  ON CONFLICT (organization_id, campaign_id) DO UPDATE
  SET at = excluded.at, accepted = excluded.accepted, figures = excluded.figures,
    since = CASE WHEN r.at > excluded.at - interval '1 minute' THEN r.since ELSE excluded.at END,
    rate = CASE WHEN r.at > excluded.at - interval '1 minute' THEN
      r.rate + (greatest(excluded.accepted - r.accepted, 0) / extract(epoch FROM excluded.at - r.at)::float8 - r.rate)
        * greatest(1 - exp(-extract(epoch FROM excluded.at - r.at)::float8 / 10),
                   extract(epoch FROM excluded.at - r.at)::float8 / extract(epoch FROM excluded.at - r.since)::float8)
      ELSE 0 END
  WHERE r.at <= excluded.at - interval '1 second'
  RETURNING r.organization_id, r.campaign_id, r.rate
)
SELECT s.organization_id, s.id, s.targets, s.skipped, s.queued, s.sent, s.delivered, s.read, s.failed, s.undelivered, s.in_doubt,
  told.rate, s.audience_done, s.is_done,
  s.figures IS DISTINCT FROM b.figures OR round(told.rate::numeric, 1) IS DISTINCT FROM round(b.rate::numeric, 1) AS is_news
FROM told
  JOIN standing s ON s.organization_id = told.organization_id AND s.id = told.campaign_id
  LEFT JOIN before b ON b.organization_id = told.organization_id AND b.campaign_id = told.campaign_id
ORDER BY s.organization_id, s.id
