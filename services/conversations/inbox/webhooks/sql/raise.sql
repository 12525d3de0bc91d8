-- write(organization_id uuid, ids uuid[], statuses text[], moments timestamptz[], codes int8[], texts text[], channel_ids text[])
-- Returns a row for each known message, with its old and new status. A voice message is Read twice, when read and when
-- played: the earlier moment holds, whichever came first. An error goes when something better is known than it; of a
-- deleted contact no error is stored. Also stores a channel id that was not known yet.
WITH n AS (SELECT * FROM unnest($2, $3, $4, $5, $6, $7) AS n (id, status, at, error_code, error_text, channel_id)),
old AS (
  SELECT m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, m.status, m.untold, c.tombstone,
    m.channel_message_id IS NULL AND n.channel_id IS NOT NULL AS learned,
    status_rank(m.status) < status_rank(n.status) AS rises,
    status_rank(m.status) < status_rank(n.status) OR (m.status = 'Read' AND n.status = 'Read' AND n.at < m.status_at) AS holds
  FROM n JOIN message m ON m.organization_id = $1 AND m.id = n.id
    JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  WHERE m.direction = 'OutBound'
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
), changed AS (
  UPDATE message m
  SET status = CASE WHEN old.rises THEN n.status ELSE m.status END,
      status_at = CASE WHEN old.holds THEN n.at ELSE m.status_at END,
      error_code = CASE WHEN old.holds THEN n.error_code ELSE m.error_code END,
      error_text = CASE WHEN NOT old.holds THEN m.error_text WHEN NOT old.tombstone THEN n.error_text END,
      channel_message_id = CASE WHEN old.tombstone THEN m.channel_message_id ELSE coalesce(m.channel_message_id, n.channel_id) END
  FROM n JOIN old USING (id)
  WHERE m.organization_id = $1 AND m.id = n.id AND (old.holds OR old.learned)
)
SELECT id, conversation_id, contact_id, campaign_id, created_at, old.status AS was,
  CASE WHEN rises THEN n.status ELSE old.status END AS status, n.error_code,
  CASE WHEN NOT tombstone THEN n.error_text END AS error_text, n.at AS status_at, rises, learned, untold
FROM old JOIN n USING (id)
