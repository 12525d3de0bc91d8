-- write(organization_id uuid, claim uuid, message_ids uuid[])
-- Nothing was sent by this claim, if it was made at all. If it is being made, this waits until it has ended, for the rows in
-- its order; if it has not begun, it will not find the rows as they were seen.
WITH held AS MATERIALIZED (
  SELECT message_id, kind FROM outgoing
  WHERE organization_id = $1 AND message_id = ANY (ARRAY(SELECT unnest($3)))
  ORDER BY array_position($3, message_id), kind
  FOR NO KEY UPDATE
)
UPDATE outgoing o SET state = 'Due', attempt = CASE o.state WHEN 'Due' THEN o.attempt ELSE o.attempt - 1 END,
  due_at = CASE o.state WHEN 'Due' THEN o.due_at + interval '1 microsecond' ELSE clock_timestamp() END
FROM held h
WHERE o.organization_id = $1 AND o.message_id = h.message_id AND o.kind = h.kind
  AND (o.state = 'Due' OR (o.claim = $2 AND o.state IN ('Sending', 'InDoubt')))
