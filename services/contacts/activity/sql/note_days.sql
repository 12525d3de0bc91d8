-- write(organization_id uuid, contact_ids uuid[], inbounds timestamptz[], campaigns timestamptz[])
-- Keeps the later days; how many contacts have a new one. Contacts that are gone are left out. Locks contacts in the order of
-- phones, as all multi-row changes of contacts.
WITH told AS MATERIALIZED (
  SELECT contact_id, coalesce(max((inbound AT TIME ZONE 'UTC')::date), '-infinity') AS inbound_on,
    coalesce(max((campaign AT TIME ZONE 'UTC')::date), '-infinity') AS campaign_on
  FROM unnest($2, $3, $4) AS t (contact_id, inbound, campaign)
  GROUP BY contact_id
), news AS MATERIALIZED (
  SELECT * FROM told t
  WHERE NOT EXISTS (SELECT FROM contact_activity a WHERE a.organization_id = $1 AND a.contact_id = t.contact_id
                      AND a.inbound_on >= t.inbound_on AND a.campaign_on >= t.campaign_on OFFSET 0)
), there AS MATERIALIZED (
  SELECT id FROM contact
  WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT contact_id FROM news))
  ORDER BY phone, id
  FOR KEY SHARE
), noted AS (
  INSERT INTO contact_activity AS a (organization_id, contact_id, inbound_on, campaign_on)
  SELECT $1, n.contact_id, n.inbound_on, n.campaign_on
  FROM news n JOIN there c ON c.id = n.contact_id
  ORDER BY n.contact_id
  ON CONFLICT (organization_id, contact_id) DO UPDATE
  SET inbound_on = greatest(a.inbound_on, excluded.inbound_on), campaign_on = greatest(a.campaign_on, excluded.campaign_on)
  RETURNING 1
)
SELECT count(*) FROM noted
