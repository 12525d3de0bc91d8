-- write(organization_id uuid, quoted uuid[], conversation_ids uuid[], moments timestamptz[])
-- Returns a row for each reply to a campaign's message, and tells who replied: events::CampaignEngaged.
WITH answered AS MATERIALIZED (
  SELECT * FROM answered_messages($1, $2, $3, $4)
), noted AS (
  INSERT INTO engagement AS e (organization_id, campaign_id, message_id, replies, replied_at)
  SELECT $1, campaign_id, message_id, count(*), min(at) FROM answered
  GROUP BY campaign_id, message_id
  ORDER BY campaign_id, message_id
  ON CONFLICT (organization_id, campaign_id, message_id) DO UPDATE
  SET replies = e.replies + excluded.replies, replied_at = least(e.replied_at, excluded.replied_at)
  RETURNING e.message_id, e.replies, e.clicks
), told AS (
  INSERT INTO outbox (changes)
  SELECT jsonb_agg(jsonb_build_object('type', 'campaign.engaged', 'organizationId', $1, 'campaignId', e.campaign_id,
                                      'contactIds', e.contact_ids, 'did', 'Replied'))
  FROM (SELECT a.campaign_id, jsonb_agg(DISTINCT (SELECT m.contact_id FROM message m
                                                  WHERE m.organization_id = $1 AND m.id = a.message_id)) AS contact_ids
        FROM answered a GROUP BY a.campaign_id) e
  HAVING count(*) > 0
)
SELECT campaign_id, sent_at, at, is_first AS first, is_first AND clicks = 0 AS engaged
FROM (SELECT a.campaign_id, a.sent_at, a.at, e.clicks,
             row_number() OVER (PARTITION BY message_id ORDER BY a.at) = 1
               AND e.replies = count(*) OVER (PARTITION BY message_id) AS is_first
      FROM answered a JOIN noted e USING (message_id)) r
