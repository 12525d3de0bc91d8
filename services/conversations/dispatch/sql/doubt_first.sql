-- write(organization_id uuid, phone_number_id text, message_ids uuid[], recipients text[], doubt int8)
-- Campaign messages whose first attempt may have reached the channel.
WITH still AS (
  SELECT m.id, m.contact_id, m.campaign_id, m.created_at
  FROM message m
  WHERE m.organization_id = $1 AND m.id = ANY (ARRAY(SELECT unnest($3))) AND m.status = 'Queued'
  ORDER BY m.id
  FOR NO KEY UPDATE
)
INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, attempt, claim,
  due_at, expires_at, created_at, campaign_id)
SELECT $1, s.id, 'Message', $2, s.contact_id, d.recipient, 'InDoubt', 1, s.id, now() + $5 * interval '1 millisecond',
  'infinity', s.created_at, s.campaign_id
FROM unnest($3, $4) AS d (message_id, recipient)
JOIN still s ON s.id = d.message_id
ORDER BY s.id
ON CONFLICT DO NOTHING
