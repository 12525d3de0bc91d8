-- write(organization_id uuid, phone_number_id text, owner uuid)
UPDATE sender SET owner = NULL, lease_until = NULL
WHERE organization_id = $1 AND phone_number_id = $2 AND owner = $3
