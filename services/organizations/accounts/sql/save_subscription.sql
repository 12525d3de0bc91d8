-- write(organization_id uuid, lease uuid, business_account_id text)
UPDATE account_setup
SET state = 'Subscribed', business_account_id = $3
WHERE organization_id = $1 AND lease = $2
