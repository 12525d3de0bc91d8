-- write(organization_id uuid, campaign_id uuid, urls text[])
-- Those that are there are looked for first: a number that is drawn for nothing is lost, and links have room for 2^32.
INSERT INTO campaign_url (organization_id, campaign_id, url, secret)
SELECT $1, $2, n.url, uuid_send(gen_random_uuid())
FROM (SELECT url, min(place) AS place FROM unnest($3) WITH ORDINALITY AS u (url, place) GROUP BY url) n
WHERE NOT EXISTS (SELECT FROM campaign_url u
                  WHERE u.organization_id = $1 AND u.campaign_id = $2 AND md5(u.url) = md5(n.url))
ORDER BY n.place
ON CONFLICT DO NOTHING
