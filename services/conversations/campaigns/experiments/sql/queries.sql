-- name: find read(organization_id uuid, id uuid)
SELECT /*include experiment*/

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include experiment*/ FOR NO KEY UPDATE

-- name: set write(organization_id uuid, id uuid, experiment jsonb)
UPDATE campaign SET experiment = $3, updated_at = now() WHERE organization_id = $1 AND id = $2

-- name: copy write(organization_id uuid, from_id uuid, to_id uuid)
-- But for its moment, as that of the campaign is not copied: it would be over, and decide by nothing.
UPDATE campaign c SET experiment = f.experiment || '{"decideAt": null}'
FROM campaign f
WHERE c.organization_id = $1 AND c.id = $3 AND f.organization_id = $1 AND f.id = $2 AND f.experiment IS NOT NULL

-- name: note_tested write(most int8)
-- Of all organizations. A test has ended when the audience is complete, all chunks are done and nothing waits for a retry.
WITH tested AS MATERIALIZED (
  SELECT c.organization_id, c.id
  FROM campaign c
  WHERE c.status = 'Running' AND c.experiment IS NOT NULL AND c.winner IS NULL AND c.experiment_tested_at IS NULL
    AND c.audience_done AND NOT is_restored()
    AND NOT EXISTS (SELECT FROM chunk k
                    WHERE k.organization_id = c.organization_id AND k.campaign_id = c.id AND NOT k.done)
    AND NOT EXISTS (SELECT FROM outgoing o
                    WHERE o.organization_id = c.organization_id AND o.campaign_id = c.id
                      AND o.state IN ('Due', 'Sending'))
  ORDER BY c.organization_id, c.id LIMIT $1
  FOR NO KEY UPDATE OF c SKIP LOCKED
)
UPDATE campaign c SET experiment_tested_at = now(),
  experiment_due_at = CASE
    WHEN c.experiment ->> 'decideAfterSeconds' IS NOT NULL
      THEN now() + (c.experiment ->> 'decideAfterSeconds')::int * interval '1 second'
    WHEN c.experiment ->> 'decideAt' IS NOT NULL THEN greatest(now(), (c.experiment ->> 'decideAt')::timestamptz) END
FROM tested t
WHERE c.organization_id = t.organization_id AND c.id = t.id

-- name: take_due write(most int8)
-- Of all organizations: those that the rule decides now, locked against a pause, a cancel and a pick.
SELECT c.organization_id, c.id, c.experiment
FROM campaign c
WHERE c.status = 'Running' AND c.experiment IS NOT NULL AND c.winner IS NULL AND c.experiment_due_at <= now()
  AND NOT is_restored()
ORDER BY c.organization_id, c.id LIMIT $1
FOR NO KEY UPDATE OF c SKIP LOCKED

-- name: results write(organization_id uuid, id uuid)
-- Of the test part, by variant.
SELECT f.variant::int,
  coalesce(sum(f.n) FILTER (WHERE f.what IN ('Sent', 'UnDelivered', 'Delivered', 'Read')), 0)::int8 AS accepted,
  coalesce(sum(f.n) FILTER (WHERE f.what IN ('Delivered', 'Read')), 0)::int8 AS delivered,
  coalesce(sum(f.n) FILTER (WHERE f.what = 'Read'), 0)::int8 AS read,
  coalesce(sum(f.n) FILTER (WHERE f.what = 'Replied'), 0)::int8 AS replied,
  coalesce(sum(f.n) FILTER (WHERE f.what = 'Clicked'), 0)::int8 AS clicked
FROM campaign_figure f
WHERE f.organization_id = $1 AND f.campaign_id = $2 AND f.variant >= 0
GROUP BY f.variant
ORDER BY f.variant

-- name: decide write(organization_id uuid, id uuid, winner int8, by text, chunk int8)
-- Returns a row if it was undecided. Of an audience that is still gathered, audience: finish makes the chunks.
WITH decided AS (
  UPDATE campaign SET winner = $3, decided_by = $4, decided_at = now(), updated_at = now()
  WHERE organization_id = $1 AND id = $2 AND experiment IS NOT NULL AND winner IS NULL AND status IN ('Running', 'Paused')
  RETURNING audience_done, audience_count
), cut AS (
  INSERT INTO chunk (organization_id, campaign_id, first, last, rest)
  SELECT $1, $2, first, least(first + $5 - 1, audience_count), true
  FROM decided, generate_series(0, audience_count::int8, $5) AS first
  WHERE audience_done
)
SELECT audience_done FROM decided
