-- The accounts on the messaging channel that organizations send through.

-- The account that an organization sends through, once completely connected. Secrets are sealed with a key from outside
-- the database: see common/secrets/key_ring.hpp.
CREATE TABLE account (
  organization_id uuid NOT NULL PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
  business_account_id text NOT NULL,
  phone_number_id text NOT NULL,
  display_phone_number text NOT NULL DEFAULT '',
  verified_name text NOT NULL DEFAULT '',
  access_token text NOT NULL,    -- sealed
  webhook_secret text NOT NULL,  -- sealed
  verification_status text NOT NULL CHECK (verification_status IN ('Verified', 'Unverified')),
  is_registered bool NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Not raised by sealing its secrets again.
  version bigint NOT NULL DEFAULT 0
);
CREATE TRIGGER raise_version BEFORE UPDATE OF updated_at ON account FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at)
  EXECUTE FUNCTION raise_version();

-- Progress of connecting an account. The channel accepts a code once, so its token is kept from then on, apart from the
-- working account until the new one replaces it. The webhook's secret and the PIN are made once an organization and
-- stay: the channel asks for both again.
CREATE TABLE account_setup (
  organization_id uuid NOT NULL PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
  webhook_secret text NOT NULL,  -- sealed
  pin text NOT NULL,             -- sealed; six digits for two-step verification
  state text NOT NULL DEFAULT 'Begun' CHECK (state IN ('Begun', 'Exchanged', 'Subscribed', 'Registered')),
  code_hash bytea,               -- SHA-256 of the code that access_token is for
  access_token text,             -- sealed
  business_account_id text,      -- the account of the state Subscribed
  phone_number_id text,          -- the number registered last
  lease uuid,                    -- of the one request that may continue
  leased_until timestamptz,
  CHECK (state = 'Begun' OR (code_hash IS NOT NULL AND access_token IS NOT NULL))
);

CREATE TABLE phone_directory (
  phone_number_id text NOT NULL PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE
);
CREATE INDEX phone_directory_organization ON phone_directory (organization_id);
