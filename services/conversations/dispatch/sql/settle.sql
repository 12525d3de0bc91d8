-- write(organization_id uuid, message_ids uuid[], kinds text[])
DELETE FROM outgoing o
USING unnest($2, $3) AS s (message_id, kind)
WHERE o.organization_id = $1 AND o.message_id = s.message_id AND o.kind = s.kind
