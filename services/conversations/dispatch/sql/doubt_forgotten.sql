-- write(age int8, doubt int8, most int4)
-- Sending for longer than any sending takes, whoever's they are: their dispatcher is gone. A receipt does no harm twice.
UPDATE outgoing o SET state = CASE o.kind WHEN 'Receipt' THEN 'Due' ELSE 'InDoubt' END,
  due_at = now() + CASE o.kind WHEN 'Receipt' THEN 0 ELSE $2 END * interval '1 millisecond'
FROM (
  SELECT organization_id, message_id, kind FROM outgoing
  WHERE state = 'Sending' AND due_at < now() - $1 * interval '1 millisecond'
  ORDER BY due_at LIMIT $3
  FOR UPDATE SKIP LOCKED
) f
WHERE o.organization_id = f.organization_id AND o.message_id = f.message_id AND o.kind = f.kind
