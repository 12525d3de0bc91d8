-- write(id text)
UPDATE parked_event SET due_at = now()
WHERE producer || '/' || position = coalesce($1, producer || '/' || position)
