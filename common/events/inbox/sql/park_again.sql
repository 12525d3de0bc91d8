-- write(producer text, epoch uuid, position int8, error text)
UPDATE parked_event SET error = $4, due_at = NULL WHERE producer = $1 AND epoch = $2 AND position = $3
