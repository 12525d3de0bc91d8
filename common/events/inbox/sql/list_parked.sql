-- slow(most int8)
SELECT producer || '/' || position AS id, jsonb_path_query_array(changes, 'lax $[*].type')::text AS about, error,
  parked_at AS at, count(*) OVER () AS total
FROM parked_event
ORDER BY producer, position LIMIT $1
