-- write(organization_id uuid, keys text[], message_ids uuid[])
-- Those that were not here before. In order of their keys, so that two who claim the same ones do not wait for each other.
INSERT INTO channel_message (organization_id, key, message_id)
SELECT $1, channel_key(n.key), n.message_id
FROM unnest($2, $3) AS n (key, message_id)
ORDER BY channel_key(n.key)
ON CONFLICT DO NOTHING
RETURNING message_id
