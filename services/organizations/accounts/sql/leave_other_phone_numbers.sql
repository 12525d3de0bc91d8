-- write(organization_id uuid, phone_number_id text)
DELETE FROM phone_directory WHERE organization_id = $1 AND phone_number_id <> $2
RETURNING phone_number_id
