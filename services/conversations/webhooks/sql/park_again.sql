-- write(id int8, organization_id uuid, error text, retry_seconds int8)
UPDATE parked_element
SET organization_id = coalesce($2, organization_id), error = $3, attempts = attempts + 1, due_at = now() + make_interval(secs => $4)
WHERE id = $1
