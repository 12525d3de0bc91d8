-- write(taken_at timestamptz, doubt int8, most int4)
-- What waited to be sent at the backup, or was on its way, may have been sent since. A receipt does no harm twice.
UPDATE outgoing o SET state = 'InDoubt', due_at = now() + $2 * interval '1 millisecond'
FROM (
  SELECT organization_id, message_id FROM outgoing
  WHERE kind = 'Message' AND state <> 'InDoubt' AND created_at <= $1
  LIMIT $3
  FOR UPDATE
) w
WHERE o.organization_id = w.organization_id AND o.message_id = w.message_id AND o.kind = 'Message'
