-- write(organization_id uuid, id uuid, phone_number_id text)
UPDATE campaign SET phone_number_id = $3
WHERE organization_id = $1 AND id = $2 AND phone_number_id IS DISTINCT FROM $3
