-- write(organization_id uuid, lease uuid, state text, registered_phone_number_id text)
UPDATE account_setup
SET state = $3, phone_number_id = coalesce($4, phone_number_id), lease = NULL, leased_until = NULL
WHERE organization_id = $1 AND lease = $2
