-- read(organization_id uuid, campaign_id uuid, urls text[])
SELECT u.url, u.id, u.secret
FROM campaign_url u
WHERE u.organization_id = $1 AND u.campaign_id = $2 AND md5(u.url) IN (SELECT md5(url) FROM unnest($3) AS url)
