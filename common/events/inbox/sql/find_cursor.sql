-- read(producer text)
SELECT epoch, position FROM feed_cursor WHERE producer = $1
