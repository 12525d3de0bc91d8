-- read(id int8)
-- Whoever follows a link belongs to no organization: the number finds whose it is.
SELECT organization_id, campaign_id, url, secret FROM campaign_url WHERE id = $1
