-- write(organization_id uuid, contact_id uuid, most int8)
-- What was to be sent is not; what is being sent ends as the channel answers. Messages are locked first, as by all who
-- touch both.
WITH due AS MATERIALIZED (
  SELECT m.id
  FROM message m
  WHERE m.organization_id = $1 AND m.id IN (SELECT o.message_id FROM outgoing o
                                            WHERE o.organization_id = $1 AND o.contact_id = $2 AND o.state = 'Due')
  ORDER BY m.id LIMIT $3
  FOR NO KEY UPDATE
), dropped AS (
  DELETE FROM outgoing o USING due
  WHERE o.organization_id = $1 AND o.message_id = due.id AND o.state = 'Due'
  RETURNING o.message_id, o.kind
), failed AS (
  UPDATE message m SET status = 'Failed', status_at = date_trunc('milliseconds', clock_timestamp())
  FROM dropped d
  WHERE m.organization_id = $1 AND m.id = d.message_id AND d.kind = 'Message' AND m.status = 'Queued'
  RETURNING m.id, m.conversation_id, m.campaign_id, m.status_at
), told AS (
  INSERT INTO outbox (changes)
  SELECT jsonb_agg(jsonb_build_object('type', 'message.status', 'organizationId', $1, 'conversationId', conversation_id,
                                      'contactId', $2, 'messageId', id, 'campaignId', campaign_id, 'from', 'Queued',
                                      'to', 'Failed', 'errorCode', NULL, 'errorText', 'the contact was deleted', 'at',
                                      to_char(status_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  FROM failed HAVING count(*) > 0
)
SELECT message_id FROM dropped
