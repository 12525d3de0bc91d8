-- read(organization_id uuid, campaign_id uuid)
-- campaigns::Tally keeps them, of each URL by its number.
SELECT u.url,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'Clicks ' || u.id), 0)::bigint AS clicks,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'People ' || u.id), 0)::bigint AS people,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'Previews ' || u.id), 0)::bigint AS previews
FROM campaign_url u
  LEFT JOIN campaign_count c ON c.organization_id = $1 AND c.campaign_id = $2 AND c.quarter = 'epoch'
    AND c.what IN ('Clicks ' || u.id, 'People ' || u.id, 'Previews ' || u.id)
WHERE u.organization_id = $1 AND u.campaign_id = $2
GROUP BY u.id, u.url
ORDER BY u.id
