-- write(owner uuid, organization_ids uuid[], phone_number_ids text[], doubt int8)
-- What the former owners of numbers just taken were sending may have been sent. A receipt does no harm twice.
UPDATE outgoing o SET state = CASE o.kind WHEN 'Receipt' THEN 'Due' ELSE 'InDoubt' END,
  due_at = clock_timestamp() + CASE o.kind WHEN 'Receipt' THEN 0 ELSE $4 END * interval '1 millisecond'
FROM unnest($2, $3) AS w (organization_id, phone_number_id)
JOIN sender s ON s.organization_id = w.organization_id AND s.phone_number_id = w.phone_number_id
WHERE o.organization_id = s.organization_id AND o.phone_number_id = s.phone_number_id AND s.owner = $1
  AND o.state = 'Sending'
