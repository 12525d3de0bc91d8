-- slow(most int8)
SELECT d.id::text, n.type || ' to webhook ' || d.webhook_id || ' of organization ' || d.organization_id AS about,
  coalesce(d.error, 'answered ' || d.response_status, '') AS error, coalesce(d.attempted_at, d.created_at) AS at,
  count(*) OVER () AS total
FROM webhook_delivery d
  JOIN webhook_notice n ON n.organization_id = d.organization_id AND n.id = d.notice_id
WHERE d.state = 'Failed'
ORDER BY d.organization_id, d.webhook_id, d.id LIMIT $1
