-- read(organization_id uuid, webhook_id uuid, state text, after uuid, most int8)
SELECT /*include delivery*/
FROM webhook_delivery d JOIN webhook_notice n ON n.organization_id = $1 AND n.id = d.notice_id
WHERE d.organization_id = $1 AND d.webhook_id = $2
  /*if by_state*/ AND d.state = $3 /*end*/
  /*if after*/ AND d.id < $4 /*end*/
ORDER BY d.id DESC
LIMIT $5
