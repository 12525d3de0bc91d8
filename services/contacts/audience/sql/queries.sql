-- name: people read(organization_id uuid, contact_ids uuid[], variables text[])
-- Addresses and variable values. An empty text becomes NULL.
SELECT c.id, c.phone, c.channel_user_id AS "channelUserId", c.status,
  ARRAY(SELECT nullif(CASE name WHEN 'name' THEN c.name WHEN 'phone' THEN c.phone ELSE c.attributes ->> name END, '')
        FROM unnest($3) AS name) AS values
FROM contact c
WHERE c.organization_id = $1 AND c.id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY c.id
