-- write(id text, most int8)
UPDATE parked_element p SET due_at = now()
FROM (SELECT id FROM parked_element
      WHERE (due_at IS NULL OR due_at > now()) AND id::text = coalesce($1, id::text)
      ORDER BY id LIMIT $2
      FOR UPDATE) w
WHERE p.id = w.id
