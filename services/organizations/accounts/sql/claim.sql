-- write(organization_id uuid, lease uuid, webhook_secret text, pin text, lease_seconds int4)
-- The webhook's secret and the PIN are of use only the first time.
INSERT INTO account_setup AS s (organization_id, webhook_secret, pin, lease, leased_until)
VALUES ($1, $3, $4, $2, now() + make_interval(secs => $5))
ON CONFLICT (organization_id) DO UPDATE SET lease = excluded.lease, leased_until = excluded.leased_until
WHERE s.lease IS NULL OR s.leased_until < now()
RETURNING state, code_hash, access_token, business_account_id, phone_number_id, webhook_secret, pin
