-- write(organization_id uuid, campaign_ids uuid[], contact_ids uuid[], reads bool[], clicks bool[], replies bool[], are_held bool[])
-- Adds what recipients did; how many did something new. Otherwise as note_days.
WITH told AS MATERIALIZED (
  SELECT campaign_id, contact_id, bool_or(read) AS read, bool_or(clicked) AS clicked, bool_or(replied) AS replied,
    bool_or(is_held) AS is_held
  FROM unnest($2, $3, $4, $5, $6, $7) AS t (campaign_id, contact_id, read, clicked, replied, is_held)
  GROUP BY campaign_id, contact_id
), raised AS (
  UPDATE campaign_recipient r
  SET read = r.read OR t.read, clicked = r.clicked OR t.clicked, replied = r.replied OR t.replied
  FROM told t
  WHERE NOT t.is_held AND r.organization_id = $1 AND r.campaign_id = t.campaign_id AND r.contact_id = t.contact_id
    AND (r.read < t.read OR r.clicked < t.clicked OR r.replied < t.replied)
  RETURNING 1
), noted AS (
  INSERT INTO campaign_recipient AS r (organization_id, campaign_id, contact_id, read, clicked, replied)
  SELECT $1, campaign_id, contact_id, read, clicked, replied FROM told WHERE is_held
  ORDER BY campaign_id, contact_id
  ON CONFLICT (organization_id, campaign_id, contact_id) DO UPDATE
  SET read = r.read OR excluded.read, clicked = r.clicked OR excluded.clicked, replied = r.replied OR excluded.replied
  WHERE r.read < excluded.read OR r.clicked < excluded.clicked OR r.replied < excluded.replied
  RETURNING r.campaign_id
), campaigns AS (
  INSERT INTO campaign_known (organization_id, campaign_id)
  SELECT DISTINCT $1, campaign_id FROM noted
  ON CONFLICT DO NOTHING
)
SELECT (SELECT count(*) FROM raised) + (SELECT count(*) FROM noted)
