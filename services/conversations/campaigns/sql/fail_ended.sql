-- write(most int4)
-- Due messages, of all organizations, whose campaign has ended: they were surely not sent, and become Failed. Of a
-- deleted message only the queue row is removed.
WITH due AS MATERIALIZED (
  SELECT e.organization_id, e.message_id, e.campaign_status FROM ended_outgoing($1) e
), old AS MATERIALIZED (
  SELECT m.organization_id, m.id, m.status
  FROM due JOIN message m ON m.organization_id = due.organization_id AND m.id = due.message_id
  ORDER BY m.organization_id, m.id
  FOR NO KEY UPDATE OF m
), gone AS (
  DELETE FROM outgoing o
  USING due LEFT JOIN old ON old.organization_id = due.organization_id AND old.id = due.message_id
  WHERE o.organization_id = due.organization_id AND o.message_id = due.message_id AND o.kind = 'Message'
    AND o.state = 'Due'
  RETURNING o.organization_id, o.message_id, old.status, due.campaign_status
)
UPDATE message m SET status = 'Failed', status_at = now(), error_code = NULL,
  error_text = CASE gone.campaign_status WHEN 'Cancelled' THEN 'the campaign was cancelled'
                                         ELSE 'the campaign had finished before it could be sent' END
FROM gone
WHERE m.organization_id = gone.organization_id AND m.id = gone.message_id
  AND status_rank(m.status) < status_rank('Failed')
RETURNING m.organization_id, m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, gone.status AS was,
  m.status, m.error_code, m.error_text, m.status_at
