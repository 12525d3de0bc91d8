-- write(retention_seconds int8, least_seconds int8, most int4)
-- What every consumer has acknowledged and is of some age, or what is older than the retention. Only from the front, so that
-- a gap is never behind what is left: positions are not in the order of ages.
WITH acknowledged AS (SELECT min(acknowledged) AS position FROM feed_consumer),
old AS (
  SELECT id
  FROM (SELECT id, bool_and(created_at < now() - make_interval(secs => $1)
                            OR position <= (SELECT coalesce(position, -1) FROM acknowledged)
                              AND created_at < now() - make_interval(secs => $2)) OVER (ORDER BY position) AS may_go
        FROM (SELECT id, position, created_at FROM outbox WHERE position IS NOT NULL ORDER BY position LIMIT $3) o) o
  WHERE may_go
), gone AS (
  DELETE FROM outbox o USING old WHERE o.id = old.id RETURNING o.position
)
UPDATE feed SET pruned = greatest(pruned, last) FROM (SELECT max(position) AS last, count(*) AS n FROM gone) g
WHERE n > 0
RETURNING pruned, n AS events
