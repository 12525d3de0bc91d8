-- slow(owner uuid, after_organization uuid, after_number text, most int4)
-- The next numbers that have rows or a Running campaign, whoever's they are: whether this dispatcher owns them, whether it
-- may take them, and whether something is due.
SELECT n.organization_id, n.phone_number_id, s.owner IS NOT DISTINCT FROM $1 AS mine,
  (s.owner IS NULL OR s.lease_until < now()) AND coalesce(s.stopped_until < now(), true) AS free,
  EXISTS (
    SELECT FROM outgoing o
    WHERE o.organization_id = n.organization_id AND o.phone_number_id = n.phone_number_id AND o.state = 'Due'
      AND o.due_at <= now()
      AND (o.campaign_id IS NULL OR EXISTS (
        SELECT FROM campaign c
        WHERE c.organization_id = n.organization_id AND c.id = o.campaign_id AND c.status = 'Running')))
  OR EXISTS (
    SELECT FROM campaign c JOIN chunk k ON k.organization_id = c.organization_id AND k.campaign_id = c.id
    WHERE c.organization_id = n.organization_id AND c.phone_number_id = n.phone_number_id AND c.status = 'Running'
      AND NOT k.done) AS due
FROM sending_numbers($2, $3, $4) n
LEFT JOIN sender s ON s.organization_id = n.organization_id AND s.phone_number_id = n.phone_number_id
ORDER BY n.organization_id, n.phone_number_id
