-- write(age int8, doubt int8, most int4, floor int8, world text)
-- Sending for longer than any sending takes, whoever's they are: their dispatcher is gone. A receipt does no harm twice.
UPDATE outgoing o SET state = CASE o.kind WHEN 'Receipt' THEN 'Due' ELSE 'InDoubt' END,
  due_at = clock_timestamp() + CASE o.kind WHEN 'Receipt' THEN 0 ELSE $2 END * interval '1 millisecond'
FROM outgoing_past('Sending', moment(queue_floor('outgoing', $4, $5)), now() - $1 * interval '1 millisecond', $3) f
WHERE o.ctid = f.place AND (o.state = 'Sending') IS TRUE
