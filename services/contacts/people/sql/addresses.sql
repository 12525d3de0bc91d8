-- read(organization_id uuid, ids uuid[])
SELECT id, phone, channel_user_id AS "channelUserId", status, name, nullif(status_at, '-infinity') AS "statusAt"
FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
