-- write(producer text, epoch uuid, position int8)
DELETE FROM parked_event WHERE producer = $1 AND epoch = $2 AND position = $3
