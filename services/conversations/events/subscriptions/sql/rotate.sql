-- write(organization_id uuid, id uuid, secret text)
UPDATE webhook SET old_secret = secret, old_secret_until = now() + interval '24 hours', secret = $3
WHERE organization_id = $1 AND id = $2
RETURNING old_secret_until
