-- write(organization_id uuid, contact_id uuid, most int8)
-- Due messages become Failed; those being sent end as the channel answers. Lock order: messages, then the queue.
WITH due AS MATERIALIZED (
  SELECT m.id
  FROM message m
  WHERE m.organization_id = $1
    AND m.id IN (SELECT o.message_id FROM outgoing o
                 WHERE o.organization_id = $1 AND o.contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2))))
                   AND o.state = 'Due')
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
  RETURNING m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, m.status_at
), counted AS (  -- as engagement::CampaignCounters does
  INSERT INTO campaign_count AS c (organization_id, campaign_id, quarter, what, slot, n)
  SELECT $1, f.campaign_id, date_bin('15 minutes', f.created_at, 'epoch'), w.what, 0, sum(w.n)
  FROM failed f CROSS JOIN (VALUES ('Queued', -1), ('Failed', 1)) AS w (what, n)
  WHERE f.campaign_id IS NOT NULL
  GROUP BY 2, 3, 4 ORDER BY 2, 3, 4
  ON CONFLICT (organization_id, campaign_id, quarter, what, slot) DO UPDATE SET n = c.n + excluded.n
)
SELECT f.id, f.conversation_id, f.contact_id, f.campaign_id, f.created_at, f.status_at
FROM dropped d LEFT JOIN failed f ON d.kind = 'Message' AND f.id = d.message_id
