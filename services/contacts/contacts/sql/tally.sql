-- read(organization_id uuid, list_id uuid)
-- A list that was deleted may still have rows here.
SELECT coalesce(sum(contacts) FILTER (
    WHERE list_id = $2 AND (list_id = '00000000-0000-0000-0000-000000000000'
      OR EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = $2))), 0)::int8 AS contacts,
  coalesce(sum(changes) FILTER (WHERE list_id = '00000000-0000-0000-0000-000000000000'), 0)::int8 AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch
FROM tally
WHERE organization_id = $1 AND list_id IN ($2, '00000000-0000-0000-0000-000000000000')
