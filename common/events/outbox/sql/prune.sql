-- write(retention_seconds int8, most int4)
-- What every consumer has acknowledged, or what is older than the retention; in order, so that a gap is never behind what
-- is left.
WITH acknowledged AS (SELECT min(acknowledged) AS position FROM feed_consumer),
old AS (
  SELECT id, position FROM (SELECT id, position, created_at FROM outbox WHERE position IS NOT NULL ORDER BY position LIMIT $2) o
  WHERE position <= (SELECT position FROM acknowledged) OR created_at < now() - make_interval(secs => $1)
), gone AS (
  DELETE FROM outbox o USING old WHERE o.id = old.id RETURNING o.position
)
UPDATE feed SET pruned = greatest(pruned, last) FROM (SELECT max(position) AS last, count(*) AS n FROM gone) g
WHERE n > 0
RETURNING pruned, n AS events
