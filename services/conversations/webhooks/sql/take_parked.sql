-- write(most int4)
SELECT id, organization_id, received_at, element AS body, attempts
FROM parked_element
WHERE due_at <= now()
ORDER BY due_at, id LIMIT $1
FOR UPDATE SKIP LOCKED
