-- write(organization_id uuid, phone_number_id text)
INSERT INTO sender (organization_id, phone_number_id)
SELECT $1, $2
WHERE NOT EXISTS (SELECT FROM sender WHERE organization_id = $1 AND phone_number_id = $2)
ON CONFLICT (organization_id, phone_number_id) DO NOTHING
