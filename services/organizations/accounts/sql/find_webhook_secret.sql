-- read(organization_id uuid)
SELECT webhook_secret FROM account_setup WHERE organization_id = $1
