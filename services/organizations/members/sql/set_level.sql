-- write(organization_id uuid, id uuid, access_level text)
UPDATE member SET access_level = $3 WHERE organization_id = $1 AND id = $2
