-- write(organization_id uuid, merged_id uuid, most int8)
-- Excludes campaigns that have targets for both contacts, or may still add the other: audiences come in contact order.
-- A person with two targets gets one message: see is_sent_under_other_name. In two steps, as targets_of_contact.
WITH found AS MATERIALIZED (
  SELECT f.campaign_id, f.ordinal, f.contact_id, g.into_id
  FROM merged_contact g
    JOIN campaign c ON c.organization_id = $1 AND (c.audience_done OR c.audience_after >= g.into_id)
    CROSS JOIN LATERAL target_of($1, c.id, g.contact_id) f
  WHERE g.organization_id = $1 AND g.contact_id = $2 AND NOT EXISTS (SELECT FROM target_of($1, c.id, g.into_id))
), held AS MATERIALIZED (
  SELECT t.campaign_id, t.ordinal, t.contact_id, found.into_id
  FROM found
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = found.campaign_id AND t.ordinal = found.ordinal
      AND t.contact_id = found.contact_id
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
)
UPDATE target t SET contact_id = held.into_id
FROM held
WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
  AND t.contact_id = held.contact_id
