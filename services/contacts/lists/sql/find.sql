-- read(organization_id uuid, id uuid)
-- Whoever changes its members counts so in its tally. A restored database counts again what it had counted before, in a
-- new epoch.
SELECT /*include columns*/,
  (l.version + coalesce((SELECT y.changes FROM tally y
                         WHERE y.organization_id = $1 AND y.list_id = l.id AND y.slot = 0), 0))::text
    || '.' || (SELECT f.epoch FROM feed_now() f) AS version
FROM list l
WHERE l.organization_id = $1 AND l.id = $2
