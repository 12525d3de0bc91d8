-- read(organization_id uuid, phone_number_id text, after_due int8, after_message uuid, seen int4)
-- The last of as many rows as look() looks at, if there are so many.
SELECT (extract(epoch FROM due_at) * 1000000)::int8 AS due, message_id
FROM outgoing
WHERE organization_id = $1 AND phone_number_id = $2 AND state = 'Due' AND due_at <= now()
  AND (due_at, message_id) > ('epoch'::timestamptz + $3 * interval '1 microsecond', $4)
ORDER BY due_at, message_id
OFFSET $5 - 1 LIMIT 1
