-- read(organization_id uuid, phone_number_id text, after_due int8, after_message uuid, seen int4, most int4)
SELECT n.message_id, n.kind, (extract(epoch FROM n.due_at) * 1000000)::int8 AS due
FROM outgoing_next($1, $2, $3, $4, $5, $6) n
