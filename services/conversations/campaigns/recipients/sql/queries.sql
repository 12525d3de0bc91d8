-- name: count read(organization_id uuid, campaign_id uuid, after int4, until int4, variant int4, state text, reason text, error_code int4)
SELECT count(*)
/*include matching*/

-- name: count_failed read(organization_id uuid, campaign_id uuid, reason text, error_code int4, state text)
SELECT count(*)
FROM message m
WHERE m.organization_id = $1 AND m.campaign_id = $2 AND m.failed AND m.error_code IS NOT DISTINCT FROM $4
  AND ($4::int IS NOT NULL OR (coalesce(m.error_text, 'unknown') = 'unknown') = ($3 = 'unknown'))
  AND ($5::text IS NULL OR m.status = $5)

-- name: count_skipped read(organization_id uuid, campaign_id uuid, reason text, variant int4)
SELECT count(*)
FROM target t
WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.skipped IS NOT NULL AND t.skipped = $3
  AND ($4::int IS NULL OR t.variant = $4 OR (t.variant < 0 AND $4 = /*include winner*/))

-- name: count_variant read(organization_id uuid, campaign_id uuid, variant int4)
-- Those of variant 0, of whom there is no index, are all but the others'. Those of an experiment are in its tallies.
SELECT CASE
  WHEN c.experiment IS NOT NULL THEN (
    SELECT coalesce(sum(f.n), 0)::int8 FROM campaign_figure f
    WHERE f.organization_id = $1 AND f.campaign_id = $2 AND f.what = 'Targets'
      AND (f.variant = $3 OR (f.variant < 0 AND c.winner = $3)))
  WHEN $3 = 0 THEN c.audience_count - (
    SELECT count(*) FROM target t WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.variant > 0)
  ELSE (SELECT count(*) FROM target t
        WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.variant > 0 AND t.variant = $3) END
FROM campaign c
WHERE c.organization_id = $1 AND c.id = $2

-- name: by_index read()
-- Until the transaction ends. A plan cached while the tables were small would last after a campaign has filled them.
SELECT set_config('enable_seqscan', 'off', true)

-- name: campaign read(organization_id uuid, id uuid)
-- `first_unsent`: those before it have their messages, or were skipped. While an experiment is undecided its rest is not.
SELECT c.id AS "uniqueId", c.status, c.variants, c.audience_count, c.audience_done,
  CASE WHEN c.experiment IS NOT NULL AND c.winner IS NULL THEN 1
       WHEN EXISTS (SELECT FROM chunk k WHERE k.organization_id = $1 AND k.campaign_id = $2)
       THEN coalesce((SELECT min(k.first) FROM chunk k
                      WHERE k.organization_id = $1 AND k.campaign_id = $2 AND NOT k.done), c.audience_count + 1)
       ELSE 1 END AS first_unsent,
  EXISTS (SELECT FROM outgoing o
          WHERE o.organization_id = $1 AND o.campaign_id = $2 AND o.state IN ('Due', 'Sending')) AS has_retries
FROM campaign c
WHERE c.organization_id = $1 AND c.id = $2 AND c.deleted_at IS NULL
