-- write(producer text)
-- Where the cursor was moved to.
SELECT position FROM feed_cursor WHERE producer = $1
