-- write(after timestamptz, most int4)
SELECT id, organization_id, received_at, element AS body, attempts
FROM parked_element
WHERE due_at > $1 AND due_at <= now() AND awaits_contacts
ORDER BY due_at, id LIMIT $2
FOR UPDATE SKIP LOCKED
