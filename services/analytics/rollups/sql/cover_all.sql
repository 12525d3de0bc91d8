-- write(producer text)
DELETE FROM feed_coverage WHERE producer = $1
