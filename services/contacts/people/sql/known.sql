-- read(organization_id uuid, phones text[], channel_user_ids text[])
SELECT id, phone, channel_user_id, status FROM contact WHERE organization_id = $1 AND phone = ANY ($2)
UNION
SELECT id, phone, channel_user_id, status FROM contact WHERE organization_id = $1 AND channel_user_id = ANY ($3)
