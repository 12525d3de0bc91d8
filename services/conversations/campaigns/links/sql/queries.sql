-- name: find read(id int8)
-- Takes no organization, since a visitor has none: the URL's number determines the organization.
SELECT organization_id, campaign_id, url, secret FROM campaign_url WHERE id = $1

-- name: figures read(organization_id uuid, campaign_id uuid)
-- engagement::CampaignCounters keeps them, of each URL by its number.
SELECT u.url,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'Clicks ' || u.id), 0)::bigint AS clicks,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'People ' || u.id), 0)::bigint AS people,
  coalesce(sum(c.n) FILTER (WHERE c.what = 'Previews ' || u.id), 0)::bigint AS previews
FROM campaign_url u
  LEFT JOIN campaign_count c ON c.organization_id = $1 AND c.campaign_id = $2 AND c.quarter = 'epoch'
    AND c.what IN ('Clicks ' || u.id, 'People ' || u.id, 'Previews ' || u.id)
WHERE u.organization_id = $1 AND u.campaign_id = $2 AND NOT u.withdrawn
GROUP BY u.id, u.url
ORDER BY u.id

-- name: urls_of read(organization_id uuid, campaign_id uuid, urls text[])
SELECT u.url, u.id, u.secret
FROM campaign_url u
WHERE u.organization_id = $1 AND u.campaign_id = $2 AND md5(u.url) = ANY (ARRAY(SELECT md5(url) FROM unnest($3) AS url))

-- name: add_urls write(organization_id uuid, campaign_id uuid, urls text[])
-- Excludes known URLs first: a conflicting insert would waste a sequence number, of which links can hold 2^32. Each is
-- looked up by the index; a join, planned for a few URLs, would compare all with all.
INSERT INTO campaign_url (organization_id, campaign_id, url, secret)
SELECT $1, $2, n.url, uuid_send(gen_random_uuid())
FROM (SELECT url, min(place) AS place FROM unnest($3) WITH ORDINALITY AS u (url, place) GROUP BY url) n
WHERE (SELECT true FROM campaign_url u
       WHERE u.organization_id = $1 AND u.campaign_id = $2 AND md5(u.url) = md5(n.url)) IS NULL
ORDER BY n.place
ON CONFLICT DO NOTHING

-- name: withdraw_others write(organization_id uuid, campaign_id uuid, urls text[])
UPDATE campaign_url SET withdrawn = NOT withdrawn
WHERE organization_id = $1 AND campaign_id = $2 AND withdrawn = (url = ANY ($3))
