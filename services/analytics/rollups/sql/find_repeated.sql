-- write(producer text)
SELECT repeated_to AS position, repeated_until AS until FROM feed_coverage
WHERE producer = $1 AND repeated_to IS NOT NULL AND repeated_until IS NOT NULL
