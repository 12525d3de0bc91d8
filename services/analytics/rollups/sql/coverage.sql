-- read()
SELECT producer, exact_from FROM feed_coverage WHERE exact_from IS NOT NULL ORDER BY producer
