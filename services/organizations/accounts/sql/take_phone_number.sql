-- write(organization_id uuid, phone_number_id text)
-- No row when it is another organization's.
INSERT INTO phone_directory AS d (phone_number_id, organization_id)
VALUES ($2, $1)
ON CONFLICT (phone_number_id) DO UPDATE SET organization_id = excluded.organization_id
WHERE d.organization_id = excluded.organization_id
RETURNING phone_number_id
