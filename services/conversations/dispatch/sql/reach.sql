-- write(organization_id uuid, phone_number_id text, message_ids uuid[])
-- Counts, of messages that the channel accepted, the people outside their service window to whom nothing else was sent
-- in the last 24 hours. Only for an account with a limit.
INSERT INTO reach AS r (organization_id, hour, people)
SELECT $1, date_trunc('hour', now()), n
FROM (
  SELECT count(DISTINCT m.contact_id) AS n
  FROM unnest($3) AS a (id)
    JOIN message m ON m.organization_id = $1 AND m.id = a.id
    JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
  WHERE coalesce(c.last_inbound_at < now() - interval '24 hours', true)
    AND NOT EXISTS (
      SELECT FROM message e
      WHERE e.organization_id = $1 AND e.conversation_id = c.id AND e.created_at > now() - interval '24 hours'
        AND e.direction = 'OutBound' AND e.status NOT IN ('Queued', 'Failed') AND e.id <> ALL ($3))) p
WHERE n > 0 AND EXISTS (
  SELECT FROM phone_number l
  WHERE l.organization_id = $1 AND l.id = $2 AND l.messaging_limit <> 'TIER_UNLIMITED')
ON CONFLICT (organization_id, hour) DO UPDATE SET people = r.people + excluded.people
