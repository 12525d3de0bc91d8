-- read(organization_id uuid, id uuid, most int8)
SELECT organization_id, '00000000-0000-0000-0000-000000000000'::uuid AS id,
  ARRAY[access_token, webhook_secret, pin] AS sealed
FROM account_setup
WHERE (organization_id, '00000000-0000-0000-0000-000000000000'::uuid) > ($1, $2)
ORDER BY organization_id LIMIT $3
