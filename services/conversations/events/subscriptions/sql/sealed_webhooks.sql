-- read(organization_id uuid, id uuid, most int8)
SELECT organization_id, id, ARRAY[secret, old_secret] AS sealed
FROM webhook
WHERE (organization_id, id) > ($1, $2)
ORDER BY organization_id, id LIMIT $3
