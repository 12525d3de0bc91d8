-- read(organization_id uuid, campaign_id uuid)
SELECT message, variants FROM campaign WHERE organization_id = $1 AND id = $2
