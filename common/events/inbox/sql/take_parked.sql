-- write(producer text, after int8)
SELECT epoch, position, changes FROM parked_event
WHERE producer = $1 AND position > $2 /*if due*/ AND due_at <= now() /*end*/
ORDER BY position LIMIT 1
FOR UPDATE SKIP LOCKED
