-- write(organization_id uuid, lease uuid, code_hash bytea, access_token text)
UPDATE account_setup
SET state = 'Exchanged', code_hash = $3, access_token = $4, business_account_id = NULL
WHERE organization_id = $1 AND lease = $2
