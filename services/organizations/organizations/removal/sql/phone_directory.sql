-- write(organization_id uuid, id uuid, most int8)
DELETE FROM phone_directory
WHERE organization_id = $1 AND ctid = ANY(ARRAY(SELECT ctid FROM phone_directory WHERE organization_id = $1 LIMIT $3))
