-- write(organization_id uuid, webhook_id uuid, id uuid)
SELECT /*include delivery*/
FROM webhook_delivery d JOIN webhook_notice n ON n.organization_id = $1 AND n.id = d.notice_id
WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3
FOR NO KEY UPDATE OF d
