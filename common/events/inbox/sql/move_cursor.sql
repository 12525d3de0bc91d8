-- write(producer text, epoch uuid, old_position int8, new_epoch uuid, new_position int8)
UPDATE feed_cursor SET epoch = $4, position = $5
WHERE producer = $1 AND epoch IS NOT DISTINCT FROM $2 AND position = $3
