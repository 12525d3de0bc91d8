-- read()
-- What has no position yet, for metrics.
SELECT count(*) AS pending, min(created_at) AS oldest
FROM (SELECT created_at FROM outbox WHERE position IS NULL ORDER BY id LIMIT 10000) AS waiting
