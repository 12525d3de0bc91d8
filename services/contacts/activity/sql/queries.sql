-- name: hold write(organization_id uuid, contact_ids uuid[], of_campaigns uuid[], recipients uuid[])
-- Keeps contacts from being deleted that have no row yet of what is told of them. In the order of ids, as all that deletes
-- several.
SELECT id FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT t.id FROM unnest($2) AS t (id)
  WHERE NOT EXISTS (SELECT FROM contact_activity a WHERE a.organization_id = $1 AND a.contact_id = t.id OFFSET 0)
  UNION
  SELECT t.id FROM unnest($3, $4) AS t (campaign_id, id)
  WHERE NOT EXISTS (SELECT FROM campaign_recipient r
                    WHERE r.organization_id = $1 AND r.campaign_id = t.campaign_id AND r.contact_id = t.id OFFSET 0)))
ORDER BY id
FOR KEY SHARE

-- name: hold_merged write(organization_id uuid, ids uuid[])
-- Those of the contacts that were merged into others, which it holds.
SELECT m.gone_id, c.id AS into_id
FROM merged_contact m JOIN contact c ON c.organization_id = $1 AND c.id = m.into_id
WHERE m.organization_id = $1 AND m.gone_id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY c.id
FOR KEY SHARE OF c

-- name: raise_version write(organization_id uuid)
INSERT INTO activity_version AS v (organization_id, changes) VALUES ($1, 1)
ON CONFLICT (organization_id) DO UPDATE SET changes = v.changes + 1

-- name: raise_old_version write(organization_id uuid)
-- For removals: makes no row, as the organization may be gone by now.
UPDATE activity_version SET changes = changes + 1 WHERE organization_id = $1

-- name: expire write(campaign_days int4, merged_days int4)
-- Of any organization: begins to remove what is known of campaigns for longer, and forgets older merges.
WITH forgotten AS (
  DELETE FROM merged_contact WHERE merged_at < now() - make_interval(days => $2)
), old AS (
  DELETE FROM campaign_known
  WHERE (organization_id, campaign_id) IN (SELECT organization_id, campaign_id FROM campaign_known
                                           WHERE since < now() - make_interval(days => $1)
                                           ORDER BY since LIMIT 10 FOR UPDATE SKIP LOCKED)
  RETURNING organization_id, campaign_id
)
INSERT INTO removal (organization_id, kind, id)
SELECT organization_id, 'campaign', campaign_id FROM old
ON CONFLICT DO NOTHING

-- name: move_days write(organization_id uuid, from_id uuid, into_id uuid)
INSERT INTO contact_activity AS a (organization_id, contact_id, inbound_on, campaign_on)
SELECT $1, $3, o.inbound_on, o.campaign_on FROM contact_activity o WHERE o.organization_id = $1 AND o.contact_id = $2
ON CONFLICT (organization_id, contact_id) DO UPDATE
SET inbound_on = greatest(a.inbound_on, excluded.inbound_on), campaign_on = greatest(a.campaign_on, excluded.campaign_on)

-- name: move_recipient write(organization_id uuid, from_id uuid, into_id uuid)
-- Of campaigns that are being removed nothing is moved: the removal might have passed.
INSERT INTO campaign_recipient AS r (organization_id, campaign_id, contact_id, read, clicked, replied)
SELECT $1, o.campaign_id, $3, o.read, o.clicked, o.replied
FROM campaign_recipient o
  JOIN (SELECT k.campaign_id FROM campaign_known k
        WHERE k.organization_id = $1 AND k.campaign_id = ANY (ARRAY(SELECT campaign_id FROM campaign_recipient
                                                                    WHERE organization_id = $1 AND contact_id = $2))
        ORDER BY k.campaign_id FOR KEY SHARE) known USING (campaign_id)
WHERE o.organization_id = $1 AND o.contact_id = $2
ORDER BY o.campaign_id
ON CONFLICT (organization_id, campaign_id, contact_id) DO UPDATE
SET read = r.read OR excluded.read, clicked = r.clicked OR excluded.clicked, replied = r.replied OR excluded.replied

-- name: move_merged write(organization_id uuid, from_id uuid, into_id uuid)
UPDATE merged_contact SET into_id = $3 WHERE organization_id = $1 AND into_id = $2

-- name: remember_merge write(organization_id uuid, gone_id uuid, into_id uuid)
INSERT INTO merged_contact (organization_id, gone_id, into_id) VALUES ($1, $2, $3)
