-- write(organization_id uuid, lease uuid)
UPDATE account_setup SET lease = NULL, leased_until = NULL
WHERE organization_id = $1 AND lease = $2
