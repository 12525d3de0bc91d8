-- write(organization_id uuid, keys text[])
SELECT n.key, c.message_id
FROM unnest($2) AS n (key) JOIN channel_message c ON c.organization_id = $1 AND c.key = channel_key(n.key)
