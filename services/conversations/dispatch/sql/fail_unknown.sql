-- write(most int4)
-- Messages of any organization that are in doubt for too long: they become Failed, which a later status corrects.
WITH late AS (
  SELECT place, organization_id, message_id FROM outgoing_past('InDoubt', '-infinity', now(), $1)
), old AS (
  SELECT m.organization_id, m.id, m.status
  FROM late JOIN message m ON m.organization_id = late.organization_id AND m.id = late.message_id
  ORDER BY m.organization_id, m.id
  FOR NO KEY UPDATE OF m
), gone AS (
  DELETE FROM outgoing o
  USING late LEFT JOIN old ON old.organization_id = late.organization_id AND old.id = late.message_id
  WHERE o.ctid = late.place AND (o.state = 'InDoubt') IS TRUE
  RETURNING o.organization_id, o.message_id, o.kind, old.status
)
UPDATE message m SET status = 'Failed', status_at = now(), error_code = NULL, error_text = 'unknown'
FROM gone
WHERE m.organization_id = gone.organization_id AND m.id = gone.message_id AND gone.kind = 'Message'
  AND status_rank(m.status) < status_rank('Failed')
RETURNING m.organization_id, m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, gone.status AS was,
  m.status, m.error_code, m.error_text, m.status_at
