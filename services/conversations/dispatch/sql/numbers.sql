-- slow(owner uuid, after_organization uuid, after_number text, most int4, floor int8, world text)
-- The next numbers of which something is due, whoever's they are: whether this dispatcher owns them, and whether it may take
-- them.
SELECT n.organization_id, n.phone_number_id, s.owner IS NOT DISTINCT FROM $1 AS mine,
  (s.owner IS NULL OR s.lease_until < now()) AND coalesce(s.stopped_until < now(), true) AS free
FROM sending_numbers($2, $3, $4, moment(queue_floor('outgoing', $5, $6))) n
LEFT JOIN sender s ON s.organization_id = n.organization_id AND s.phone_number_id = n.phone_number_id
ORDER BY n.organization_id, n.phone_number_id
