-- write(organization_id uuid, contact_ids uuid[], inbounds timestamptz[], campaigns timestamptz[], are_held bool[])
-- Keeps the later days; how many contacts have a new one. Only contacts that are held (queries.sql) may get a row.
WITH told AS MATERIALIZED (
  SELECT contact_id, coalesce(max((inbound AT TIME ZONE 'UTC')::date), '-infinity') AS inbound_on,
    coalesce(max((campaign AT TIME ZONE 'UTC')::date), '-infinity') AS campaign_on, bool_or(is_held) AS is_held
  FROM unnest($2, $3, $4, $5) AS t (contact_id, inbound, campaign, is_held)
  GROUP BY contact_id
), raised AS (
  UPDATE contact_activity a
  SET inbound_on = greatest(a.inbound_on, t.inbound_on), campaign_on = greatest(a.campaign_on, t.campaign_on)
  FROM told t
  WHERE NOT t.is_held AND a.organization_id = $1 AND a.contact_id = t.contact_id
    AND (a.inbound_on < t.inbound_on OR a.campaign_on < t.campaign_on)
  RETURNING 1
), noted AS (
  INSERT INTO contact_activity AS a (organization_id, contact_id, inbound_on, campaign_on)
  SELECT $1, contact_id, inbound_on, campaign_on FROM told WHERE is_held
  ORDER BY contact_id
  ON CONFLICT (organization_id, contact_id) DO UPDATE
  SET inbound_on = greatest(a.inbound_on, excluded.inbound_on), campaign_on = greatest(a.campaign_on, excluded.campaign_on)
  WHERE a.inbound_on < excluded.inbound_on OR a.campaign_on < excluded.campaign_on
  RETURNING 1
)
SELECT (SELECT count(*) FROM raised) + (SELECT count(*) FROM noted)
