-- read()
-- The inbox is counted as far as it matters.
SELECT (SELECT count(*) FROM (SELECT FROM inbox LIMIT 10000) i) AS waiting,
  coalesce((SELECT extract(epoch FROM now() - received_at) FROM inbox ORDER BY id LIMIT 1), 0)::float8 AS oldest_seconds,
  (SELECT count(*) FROM parked_element WHERE due_at IS NULL) AS parked,
  (SELECT count(*) FROM parked_element WHERE due_at IS NOT NULL) AS retried
