-- write(id int8, organization_id uuid, error text, retry_seconds int8, awaits_contacts bool)
-- What waits for contacts was not tried.
UPDATE parked_element
SET organization_id = coalesce($2, organization_id), error = $3, attempts = attempts + CASE WHEN $5 THEN 0 ELSE 1 END,
  due_at = now() + make_interval(secs => $4), awaits_contacts = $5
WHERE id = $1
