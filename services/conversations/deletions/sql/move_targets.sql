-- write(organization_id uuid, merged_id uuid, most int8)
-- Of campaigns that do not have both names, nor can get the other one: audiences come in the order of contacts. Who is there
-- under both is sent to under one: see is_sent_under_other_name.
UPDATE target t SET contact_id = held.into_id
FROM (
  SELECT t.campaign_id, t.ordinal, g.into_id
  FROM merged_contact g
    JOIN campaign c ON c.organization_id = $1 AND (c.audience_done OR c.audience_after >= g.into_id)
    JOIN target t ON t.organization_id = $1 AND t.campaign_id = c.id AND t.contact_id = g.contact_id
  WHERE g.organization_id = $1 AND g.contact_id = $2
    AND NOT EXISTS (SELECT FROM target o
                    WHERE o.organization_id = $1 AND o.campaign_id = c.id AND o.contact_id = g.into_id)
  ORDER BY t.campaign_id, t.ordinal LIMIT $3
  FOR NO KEY UPDATE OF t
) held
WHERE t.organization_id = $1 AND t.campaign_id = held.campaign_id AND t.ordinal = held.ordinal
