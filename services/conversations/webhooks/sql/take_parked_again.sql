-- write(ids int8[])
SELECT id FROM parked_element WHERE id = ANY ($1) AND due_at <= now() FOR UPDATE SKIP LOCKED
