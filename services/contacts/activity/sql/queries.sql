-- name: raise_version write(organization_id uuid)
INSERT INTO activity_version AS v (organization_id, changes) VALUES ($1, 1)
ON CONFLICT (organization_id) DO UPDATE SET changes = v.changes + 1

-- name: raise_old_version write(organization_id uuid)
-- For removals: makes no row, as the organization may be gone by now.
UPDATE activity_version SET changes = changes + 1 WHERE organization_id = $1

-- name: expire write(organization_id uuid, days int4)
-- Begins to remove what is known of campaigns for longer than that.
WITH old AS (
  DELETE FROM campaign_known
  WHERE organization_id = $1 AND since < now() - make_interval(days => $2)
  RETURNING campaign_id
)
INSERT INTO removal (organization_id, kind, id)
SELECT $1, 'campaign', campaign_id FROM old
ON CONFLICT DO NOTHING

-- name: move_days write(organization_id uuid, from_id uuid, into_id uuid)
INSERT INTO contact_activity AS a (organization_id, contact_id, inbound_on, campaign_on)
SELECT $1, $3, o.inbound_on, o.campaign_on FROM contact_activity o WHERE o.organization_id = $1 AND o.contact_id = $2
ON CONFLICT (organization_id, contact_id) DO UPDATE
SET inbound_on = greatest(a.inbound_on, excluded.inbound_on), campaign_on = greatest(a.campaign_on, excluded.campaign_on)

-- name: move_recipient write(organization_id uuid, from_id uuid, into_id uuid)
INSERT INTO campaign_recipient AS r (organization_id, campaign_id, contact_id, read, clicked, replied)
SELECT $1, o.campaign_id, $3, o.read, o.clicked, o.replied
FROM campaign_recipient o
WHERE o.organization_id = $1 AND o.contact_id = $2
ORDER BY o.campaign_id
ON CONFLICT (organization_id, campaign_id, contact_id) DO UPDATE
SET read = r.read OR excluded.read, clicked = r.clicked OR excluded.clicked, replied = r.replied OR excluded.replied
