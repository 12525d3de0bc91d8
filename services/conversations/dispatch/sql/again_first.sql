-- write(organization_id uuid, phone_number_id text, message_ids uuid[], recipients text[], delays int8[], counted int4[], codes int4[], texts text[])
-- Campaign messages whose first attempt surely sent nothing: queues them, or ends their doubt, unless they have an
-- outcome.
WITH still AS (
  SELECT m.id, m.contact_id, m.campaign_id, m.created_at
  FROM message m
  WHERE m.organization_id = $1 AND m.id = ANY (ARRAY(SELECT unnest($3))) AND m.status = 'Queued'
  ORDER BY m.id
  FOR NO KEY UPDATE
)
INSERT INTO outgoing AS o (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, attempt, claim,
  due_at, expires_at, created_at, error_code, error_text, campaign_id)
SELECT $1, s.id, 'Message', $2, s.contact_id, a.recipient, 'Due', a.counted, s.id,
  clock_timestamp() + a.delay * interval '1 millisecond', 'infinity', s.created_at, a.code, a.text, s.campaign_id
FROM unnest($3, $4, $5, $6, $7, $8) AS a (message_id, recipient, delay, counted, code, text)
JOIN still s ON s.id = a.message_id
ORDER BY s.id
ON CONFLICT (organization_id, message_id, kind) DO UPDATE
SET state = 'Due', attempt = excluded.attempt, due_at = excluded.due_at, error_code = excluded.error_code,
  error_text = excluded.error_text
WHERE o.claim = excluded.claim AND o.state = 'InDoubt'
