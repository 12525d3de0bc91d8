-- write(organization_id uuid, ids uuid[], names text[], phones text[], channel_user_ids text[])
-- In the order of phones, as all who insert several. Who has become known meanwhile gives no row.
INSERT INTO contact (organization_id, id, name, phone, channel_user_id)
SELECT $1, new.id, new.name, new.phone, new.channel_user_id
FROM unnest($2, $3, $4, $5) AS new(id, name, phone, channel_user_id)
ORDER BY new.phone, new.channel_user_id
ON CONFLICT DO NOTHING
RETURNING id
