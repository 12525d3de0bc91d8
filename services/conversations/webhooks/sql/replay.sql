-- write(id text)
UPDATE parked_element SET due_at = now() WHERE (due_at IS NULL OR due_at > now()) AND id::text = coalesce($1, id::text)
