-- write(organization_id uuid, id uuid)
UPDATE contact SET channel_user_id = NULL WHERE organization_id = $1 AND id = $2
