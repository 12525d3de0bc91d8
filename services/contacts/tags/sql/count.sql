-- read(organization_id uuid, search text)
SELECT
  (SELECT coalesce(sum(changes), 0)::int8 FROM tally
   WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000') AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch,
  (SELECT count(*) FROM tag WHERE /*include matching*/) AS count
