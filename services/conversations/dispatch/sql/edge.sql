-- read(organization_id uuid, phone_number_id text, after_due int8, after_message uuid, seen int4)
-- The last of as many rows as look() looks at, if there are so many.
SELECT (extract(epoch FROM e.due_at) * 1000000)::int8 AS due, e.message_id
FROM outgoing_edge($1, $2, $3, $4, $5) e
