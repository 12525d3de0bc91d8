-- write(organization_id uuid, message_ids uuid[], claims uuid[], doubt int8)
UPDATE outgoing o SET state = 'InDoubt', due_at = now() + $4 * interval '1 millisecond'
FROM unnest($2, $3) AS d (message_id, claim)
WHERE o.organization_id = $1 AND o.message_id = d.message_id AND o.kind = 'Message' AND o.claim = d.claim
  AND o.state = 'Sending'
