-- name: find_account read(organization_id uuid)
SELECT a.organization_id, a.business_account_id, a.phone_number_id, a.display_phone_number, a.verified_name,
  a.access_token, a.webhook_secret
FROM account a
JOIN organization o ON o.organization_id = a.organization_id AND o.deleted_at IS NULL
WHERE a.organization_id = $1

-- name: find_webhook_secret read(organization_id uuid)
SELECT webhook_secret FROM account_setup WHERE organization_id = $1

-- name: business_account_owners read(business_account_id text)
SELECT a.organization_id
FROM account a JOIN organization o ON o.organization_id = a.organization_id AND o.deleted_at IS NULL
WHERE a.business_account_id = $1
ORDER BY a.organization_id

-- name: phone_owner read(phone_number_id text)
SELECT organization_id FROM phone_directory WHERE phone_number_id = $1

-- name: sealed_accounts read(organization_id uuid, id uuid, most int8)
SELECT organization_id, '00000000-0000-0000-0000-000000000000'::uuid AS id, ARRAY[access_token, webhook_secret] AS sealed
FROM account
WHERE (organization_id, '00000000-0000-0000-0000-000000000000'::uuid) > ($1, $2)
ORDER BY organization_id LIMIT $3

-- name: sealed_setups read(organization_id uuid, id uuid, most int8)
SELECT organization_id, '00000000-0000-0000-0000-000000000000'::uuid AS id,
  ARRAY[access_token, webhook_secret, pin] AS sealed
FROM account_setup
WHERE (organization_id, '00000000-0000-0000-0000-000000000000'::uuid) > ($1, $2)
ORDER BY organization_id LIMIT $3

-- name: claim write(organization_id uuid, lease uuid, webhook_secret text, pin text, lease_seconds int4)
-- An existing setup keeps its webhook secret and PIN. No row while another lease is valid.
INSERT INTO account_setup AS s (organization_id, webhook_secret, pin, lease, leased_until)
VALUES ($1, $3, $4, $2, now() + make_interval(secs => $5))
ON CONFLICT (organization_id) DO UPDATE SET lease = excluded.lease, leased_until = excluded.leased_until
WHERE s.lease IS NULL OR s.leased_until < now()
RETURNING state, code_hash, access_token, business_account_id, phone_number_id, webhook_secret, pin

-- name: save_account write(organization_id uuid, business_account_id text, phone_number_id text, display_phone_number text,
--   verified_name text, access_token text, webhook_secret text, verification_status text, is_registered bool)
INSERT INTO account (organization_id, business_account_id, phone_number_id, display_phone_number, verified_name,
  access_token, webhook_secret, verification_status, is_registered)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (organization_id) DO UPDATE SET
  business_account_id = excluded.business_account_id, phone_number_id = excluded.phone_number_id,
  display_phone_number = excluded.display_phone_number, verified_name = excluded.verified_name,
  access_token = excluded.access_token, webhook_secret = excluded.webhook_secret,
  verification_status = excluded.verification_status, is_registered = excluded.is_registered, updated_at = now()

-- name: take_phone_number write(organization_id uuid, phone_number_id text)
-- No row if the number belongs to another organization.
INSERT INTO phone_directory AS d (phone_number_id, organization_id)
VALUES ($2, $1)
ON CONFLICT (phone_number_id) DO UPDATE SET organization_id = excluded.organization_id
WHERE d.organization_id = excluded.organization_id
RETURNING phone_number_id

-- name: close_setup write(organization_id uuid, lease uuid, state text, registered_phone_number_id text)
UPDATE account_setup
SET state = $3, phone_number_id = coalesce($4, phone_number_id), lease = NULL, leased_until = NULL
WHERE organization_id = $1 AND lease = $2

-- name: complete_onboarding write(organization_id uuid)
UPDATE organization SET is_onboarding_completed = true
WHERE organization_id = $1 AND NOT is_onboarding_completed

-- name: release write(organization_id uuid, lease uuid)
UPDATE account_setup SET lease = NULL, leased_until = NULL
WHERE organization_id = $1 AND lease = $2

-- name: reseal_account write(organization_id uuid, id uuid, old text[], new text[])
UPDATE account SET access_token = $4[1], webhook_secret = $4[2]
WHERE organization_id = $1 AND $2 IS NOT NULL AND ARRAY[access_token, webhook_secret] = $3

-- name: reseal_setup write(organization_id uuid, id uuid, old text[], new text[])
UPDATE account_setup SET access_token = $4[1], webhook_secret = $4[2], pin = $4[3]
WHERE organization_id = $1 AND $2 IS NOT NULL AND ARRAY[access_token, webhook_secret, pin] = $3

-- name: save_subscription write(organization_id uuid, lease uuid, business_account_id text)
UPDATE account_setup
SET state = 'Subscribed', business_account_id = $3
WHERE organization_id = $1 AND lease = $2

-- name: save_token write(organization_id uuid, lease uuid, code_hash bytea, access_token text)
UPDATE account_setup
SET state = 'Exchanged', code_hash = $3, access_token = $4, business_account_id = NULL
WHERE organization_id = $1 AND lease = $2

-- name: leave_other_phone_numbers write(organization_id uuid, phone_number_id text)
DELETE FROM phone_directory WHERE organization_id = $1 AND phone_number_id <> $2
RETURNING phone_number_id
