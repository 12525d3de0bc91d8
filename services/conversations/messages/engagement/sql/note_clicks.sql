-- write(ids uuid[], organization_ids uuid[], campaign_ids uuid[], url_ids int8[], ordinals int4[], moments timestamptz[], previews bool[])
-- Returns a row for each new click, and tells who clicked: events::CampaignEngaged. Writes in key order, as every transaction
-- that locks several.
WITH known AS MATERIALIZED (
  SELECT n.*, t.message_id, t.sent_at
  FROM unnest($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY
      AS n (id, organization_id, campaign_id, url_id, ordinal, at, preview, place)
    JOIN target_messages($2, $3, $5) t USING (place)
), firsts AS (
  INSERT INTO click (organization_id, campaign_id, id, url_id, ordinal, at, preview, first)
  SELECT DISTINCT ON (organization_id, campaign_id, url_id, ordinal)
    organization_id, campaign_id, id, url_id, ordinal, at, preview, true
  FROM known WHERE NOT preview
  ORDER BY organization_id, campaign_id, url_id, ordinal, at, id
  ON CONFLICT DO NOTHING
  RETURNING id
), others AS (
  INSERT INTO click (organization_id, campaign_id, id, url_id, ordinal, at, preview, first)
  SELECT organization_id, campaign_id, id, url_id, ordinal, at, preview, false
  FROM known WHERE id NOT IN (SELECT id FROM firsts)
  ORDER BY organization_id, campaign_id, id
  ON CONFLICT DO NOTHING
  RETURNING id
), fresh AS (
  SELECT k.*, f.first
  FROM known k JOIN (SELECT id, true AS first FROM firsts UNION ALL SELECT id, false FROM others) f USING (id)
), noted AS (
  INSERT INTO engagement AS e (organization_id, campaign_id, message_id, clicks, clicked_at)
  SELECT organization_id, campaign_id, message_id, count(*), min(at) FROM fresh WHERE NOT preview
  GROUP BY organization_id, campaign_id, message_id
  ORDER BY organization_id, campaign_id, message_id
  ON CONFLICT (organization_id, campaign_id, message_id) DO UPDATE
  SET clicks = e.clicks + excluded.clicks, clicked_at = least(e.clicked_at, excluded.clicked_at)
  RETURNING e.organization_id, e.message_id, e.clicks, e.replies
), told AS (
  INSERT INTO outbox (changes)
  SELECT jsonb_agg(jsonb_build_object('type', 'campaign.engaged', 'organizationId', e.organization_id,
                                      'campaignId', e.campaign_id, 'contactIds', e.contact_ids, 'did', 'Clicked'))
  FROM (SELECT k.organization_id, k.campaign_id,
          jsonb_agg(DISTINCT (SELECT m.contact_id FROM message m
                              WHERE m.organization_id = k.organization_id AND m.id = k.message_id)) AS contact_ids
        FROM fresh k WHERE NOT k.preview GROUP BY k.organization_id, k.campaign_id) e
  HAVING count(*) > 0
)
SELECT f.organization_id, f.campaign_id, f.url_id, f.sent_at, f.at, f.preview, f.first,
  NOT f.preview AND e.replies = 0
    AND row_number() OVER (PARTITION BY f.organization_id, f.message_id, f.preview ORDER BY f.at, f.id) = 1
    AND e.clicks = count(*) OVER (PARTITION BY f.organization_id, f.message_id, f.preview) AS engaged
FROM fresh f LEFT JOIN noted e ON e.organization_id = f.organization_id AND e.message_id = f.message_id
