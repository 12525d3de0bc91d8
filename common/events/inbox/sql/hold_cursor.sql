-- write(producer text, epoch uuid, position int8)
SELECT FROM feed_cursor
WHERE producer = $1 AND epoch IS NOT DISTINCT FROM $2 AND position = $3
FOR UPDATE SKIP LOCKED
