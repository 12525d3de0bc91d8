-- read(organization_id uuid, campaign_id uuid, url text)
SELECT id FROM campaign_url WHERE organization_id = $1 AND campaign_id = $2 AND md5(url) = md5($3) AND url = $3
