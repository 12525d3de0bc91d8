-- write(organization_id uuid, message_ids uuid[], codes int4[], texts text[])
-- Messages that the channel refuses for good.
WITH old AS (
  SELECT m.id, m.status, f.code, f.text
  FROM unnest($2, $3, $4) AS f (id, code, text)
  JOIN message m ON m.organization_id = $1 AND m.id = f.id
  WHERE status_rank(m.status) < status_rank('Failed')
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
)
UPDATE message m SET status = 'Failed', status_at = now(), error_code = old.code, error_text = old.text
FROM old
WHERE m.organization_id = $1 AND m.id = old.id
RETURNING m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, old.status AS was, m.status, m.error_code,
  m.error_text, m.status_at
