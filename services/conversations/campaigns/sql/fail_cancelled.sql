-- write(most int4)
-- What was to be sent again for campaigns that were cancelled meanwhile, whoever's they are.
WITH due AS MATERIALIZED (
  SELECT o.organization_id, o.message_id
  FROM campaign c JOIN outgoing o ON o.organization_id = c.organization_id AND o.campaign_id = c.id AND o.state = 'Due'
  WHERE c.status = 'Cancelled' AND c.finished_at > now() - interval '2 days'
  LIMIT $1
), old AS MATERIALIZED (
  SELECT m.organization_id, m.id, m.status
  FROM due JOIN message m ON m.organization_id = due.organization_id AND m.id = due.message_id
  ORDER BY m.organization_id, m.id
  FOR NO KEY UPDATE OF m
), gone AS (
  DELETE FROM outgoing o
  USING old
  WHERE o.organization_id = old.organization_id AND o.message_id = old.id AND o.kind = 'Message' AND o.state = 'Due'
  RETURNING o.organization_id, o.message_id, old.status
)
UPDATE message m SET status = 'Failed', status_at = now(), error_code = NULL, error_text = 'the campaign was cancelled'
FROM gone
WHERE m.organization_id = gone.organization_id AND m.id = gone.message_id
  AND status_rank(m.status) < status_rank('Failed')
RETURNING m.organization_id, m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, gone.status AS was,
  m.status, m.error_code, m.error_text, m.status_at
