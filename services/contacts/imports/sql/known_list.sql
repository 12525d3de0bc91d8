-- write(organization_id uuid, list_id uuid)
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR KEY SHARE
