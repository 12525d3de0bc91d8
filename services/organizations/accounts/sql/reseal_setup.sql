-- write(organization_id uuid, id uuid, old text[], new text[])
UPDATE account_setup SET access_token = $4[1], webhook_secret = $4[2], pin = $4[3]
WHERE organization_id = $1 AND $2 IS NOT NULL AND ARRAY[access_token, webhook_secret, pin] = $3
