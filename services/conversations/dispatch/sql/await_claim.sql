-- write(organization_id uuid, message_ids uuid[])
-- Waits until who is changing these rows has ended.
SELECT FROM outgoing
WHERE organization_id = $1 AND message_id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY message_id, kind
FOR UPDATE
