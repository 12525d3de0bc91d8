-- Organizations, their members, what these may do, and their accounts on the messaging channel. organization_id comes
-- first in each key of a tenant's table. Two tables are directories over all organizations: person, as one person may be
-- a member of several, and phone_directory, as a number belongs to one organization only.

CREATE TABLE person (
  id uuid NOT NULL PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX person_email ON person (lower(email));

CREATE TABLE organization (
  organization_id uuid NOT NULL PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  website_url text NOT NULL DEFAULT '',
  logo_url text NOT NULL DEFAULT '',
  favicon_url text NOT NULL DEFAULT '',
  is_auto_handling_conversations_enabled bool NOT NULL DEFAULT false,
  is_onboarding_completed bool NOT NULL DEFAULT false,  -- a messaging account was connected
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE member (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  person_id uuid NOT NULL REFERENCES person,
  access_level text NOT NULL CHECK (access_level IN ('Owner', 'Admin', 'Member')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT member_person UNIQUE (organization_id, person_id)
);
CREATE INDEX member_organizations ON member (person_id, organization_id);  -- the organizations of a person

CREATE TABLE role (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  permissions bigint NOT NULL CHECK (permissions >= 0),  -- bits, as identity::Permission numbers them
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX role_name ON role (organization_id, lower(name));

CREATE TABLE member_role (
  organization_id uuid NOT NULL,
  member_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (organization_id, member_id, role_id),
  FOREIGN KEY (organization_id, member_id) REFERENCES member ON DELETE CASCADE,
  FOREIGN KEY (organization_id, role_id) REFERENCES role ON DELETE CASCADE
);
CREATE INDEX member_role_role ON member_role (organization_id, role_id);

-- API keys. Of the secret only its SHA-256 is here. A member has at most one default key that is not revoked.
CREATE TABLE credential (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  name text NOT NULL DEFAULT '',
  is_default bool NOT NULL DEFAULT false,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,  -- to the minute
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES member ON DELETE CASCADE
);
CREATE INDEX credential_member ON credential (organization_id, member_id);
CREATE UNIQUE INDEX credential_default ON credential (organization_id, member_id) WHERE is_default AND revoked_at IS NULL;

-- The account that an organization sends through: only what was connected to the end. Secrets are sealed with a key from
-- outside the database: see secrets/key_ring.hpp.
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
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- How far the connecting of an account has come. The channel takes a code once, so what it was exchanged for is kept from
-- that moment on, apart from the account that works until the new one does. The webhook's secret and the PIN are made once
-- an organization and stay: the channel asks for both again.
CREATE TABLE account_setup (
  organization_id uuid NOT NULL PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
  webhook_secret text NOT NULL,  -- sealed
  pin text NOT NULL,             -- sealed; of two-step verification, six digits
  state text NOT NULL DEFAULT 'Begun' CHECK (state IN ('Begun', 'Exchanged', 'Subscribed', 'Registered')),
  code_hash bytea,               -- SHA-256 of the code that access_token is for
  access_token text,             -- sealed
  business_account_id text,      -- what Subscribed was reached for
  phone_number_id text,          -- the number that was registered last
  lease uuid,                    -- of the one request that may go on with it
  leased_until timestamptz,
  CHECK (state = 'Begun' OR (code_hash IS NOT NULL AND access_token IS NOT NULL))
);

CREATE TABLE phone_directory (
  phone_number_id text NOT NULL PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE
);
CREATE INDEX phone_directory_organization ON phone_directory (organization_id);
