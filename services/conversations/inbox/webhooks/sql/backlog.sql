-- read(floor int8, world text, parked_after timestamptz)
-- The inbox is counted as far as it matters.
SELECT (SELECT count(*) FROM inbox_next(queue_floor('inbox', $1, $2), 10000)) AS waiting,
  coalesce(extract(epoch FROM now() - least(
    (SELECT received_at FROM inbox_next(queue_floor('inbox', $1, $2), 1)),
    (SELECT received_at FROM parked_next('{contacts, organizations}', $3)))), 0)::float8 AS oldest_seconds,
  (SELECT count(*) FROM parked_element WHERE due_at IS NULL) AS parked,
  (SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL) AS retried
