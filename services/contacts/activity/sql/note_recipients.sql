-- write(organization_id uuid, campaign_ids uuid[], contact_ids uuid[], reads bool[], clicks bool[], replies bool[])
-- Adds what recipients did; how many did something new. Otherwise as note_days.
WITH told AS MATERIALIZED (
  SELECT campaign_id, contact_id, bool_or(read) AS read, bool_or(clicked) AS clicked, bool_or(replied) AS replied
  FROM unnest($2, $3, $4, $5, $6) AS t (campaign_id, contact_id, read, clicked, replied)
  GROUP BY campaign_id, contact_id
), news AS MATERIALIZED (
  SELECT * FROM told t
  WHERE NOT EXISTS (SELECT FROM campaign_recipient r
                    WHERE r.organization_id = $1 AND r.campaign_id = t.campaign_id AND r.contact_id = t.contact_id
                      AND r.read >= t.read AND r.clicked >= t.clicked AND r.replied >= t.replied OFFSET 0)
), there AS MATERIALIZED (
  SELECT id FROM contact
  WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT contact_id FROM news))
  ORDER BY phone, id
  FOR KEY SHARE
), campaigns AS (
  INSERT INTO campaign_known (organization_id, campaign_id)
  SELECT DISTINCT $1, n.campaign_id
  FROM news n JOIN there c ON c.id = n.contact_id
  WHERE NOT EXISTS (SELECT FROM campaign_known k WHERE k.organization_id = $1 AND k.campaign_id = n.campaign_id OFFSET 0)
  ON CONFLICT DO NOTHING
), noted AS (
  INSERT INTO campaign_recipient AS r (organization_id, campaign_id, contact_id, read, clicked, replied)
  SELECT $1, n.campaign_id, n.contact_id, n.read, n.clicked, n.replied
  FROM news n JOIN there c ON c.id = n.contact_id
  ORDER BY n.campaign_id, n.contact_id
  ON CONFLICT (organization_id, campaign_id, contact_id) DO UPDATE
  SET read = r.read OR excluded.read, clicked = r.clicked OR excluded.clicked, replied = r.replied OR excluded.replied
  RETURNING 1
)
SELECT count(*) FROM noted
