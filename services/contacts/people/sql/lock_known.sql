-- write(organization_id uuid, phones text[], channel_user_ids text[])
-- From here on nobody changes them or adds them to a list.
SELECT id, phone, channel_user_id, status
FROM contact
WHERE organization_id = $1 AND (phone = ANY ($2) OR channel_user_id = ANY ($3))
ORDER BY id
FOR UPDATE
