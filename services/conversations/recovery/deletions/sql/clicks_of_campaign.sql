-- write(organization_id uuid, campaign_id uuid, most int8)
DELETE FROM click
WHERE organization_id = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM click WHERE organization_id = $1 AND campaign_id = $2 LIMIT $3))
