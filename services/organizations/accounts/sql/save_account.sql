-- write(organization_id uuid, business_account_id text, phone_number_id text, display_phone_number text,
--   verified_name text, access_token text, webhook_secret text, verification_status text, is_registered bool)
INSERT INTO account (organization_id, business_account_id, phone_number_id, display_phone_number, verified_name,
  access_token, webhook_secret, verification_status, is_registered)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (organization_id) DO UPDATE SET
  business_account_id = excluded.business_account_id, phone_number_id = excluded.phone_number_id,
  display_phone_number = excluded.display_phone_number, verified_name = excluded.verified_name,
  access_token = excluded.access_token, webhook_secret = excluded.webhook_secret,
  verification_status = excluded.verification_status, is_registered = excluded.is_registered, updated_at = now()
