-- slow(owner uuid, after_organization uuid, after_number text, most int4)
-- The next numbers that have rows, whoever's they are: whether this dispatcher owns them, whether it may take them, and
-- whether something is due.
SELECT s.organization_id, s.phone_number_id, s.owner IS NOT DISTINCT FROM $1 AS mine,
  (s.owner IS NULL OR s.lease_until < now()) AND coalesce(s.stopped_until < now(), true) AS free,
  EXISTS (
    SELECT FROM outgoing o
    WHERE o.organization_id = s.organization_id AND o.phone_number_id = s.phone_number_id AND o.state = 'Due'
      AND o.due_at <= now()) AS due
FROM outgoing_numbers($2, $3, $4) n
JOIN sender s ON s.organization_id = n.organization_id AND s.phone_number_id = n.phone_number_id
ORDER BY s.organization_id, s.phone_number_id
