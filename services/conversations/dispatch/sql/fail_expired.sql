-- write(most int4)
-- Messages of any organization that were not sent in time, with the last reason.
WITH late AS (
  SELECT organization_id, message_id, kind FROM outgoing
  WHERE state = 'Due' AND expires_at <= now()
  ORDER BY expires_at LIMIT $1
), old AS (
  SELECT m.organization_id, m.id, m.status
  FROM late JOIN message m ON m.organization_id = late.organization_id AND m.id = late.message_id
  ORDER BY m.organization_id, m.id
  FOR NO KEY UPDATE OF m
), gone AS (
  DELETE FROM outgoing o
  USING late LEFT JOIN old ON old.organization_id = late.organization_id AND old.id = late.message_id
  WHERE o.organization_id = late.organization_id AND o.message_id = late.message_id AND o.kind = late.kind
    AND o.state = 'Due' AND o.expires_at <= now()
  RETURNING o.organization_id, o.message_id, o.kind, o.phone_number_id, o.error_code, o.error_text, old.status
)
UPDATE message m SET status = 'Failed', status_at = now(),
  error_code = CASE WHEN s.stop_text IS NULL THEN gone.error_code ELSE s.stop_code END,
  error_text = 'it could not be sent in time' || coalesce(': ' || coalesce(s.stop_text, gone.error_text), '')
FROM gone LEFT JOIN sender s ON s.organization_id = gone.organization_id AND s.phone_number_id = gone.phone_number_id
WHERE m.organization_id = gone.organization_id AND m.id = gone.message_id AND gone.kind = 'Message'
  AND status_rank(m.status) < status_rank('Failed')
RETURNING m.organization_id, m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, gone.status AS was,
  m.status, m.error_code, m.error_text, m.status_at
