-- write(organization_id uuid, id uuid, name text, phone text, channel_user_id text)
-- A name that is but a number follows it.
UPDATE contact
SET name = CASE WHEN name IN (phone, channel_user_id) THEN coalesce($3, $4, $5, name) ELSE name END,
  phone = $4, channel_user_id = $5
WHERE organization_id = $1 AND id = $2
