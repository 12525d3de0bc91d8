-- Where a session was opened from, for the list that its person sees. Empty: opened by an earlier release.
ALTER TABLE session
  ADD COLUMN address text NOT NULL DEFAULT '' CHECK (length(address) <= 64),
  ADD COLUMN user_agent text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 256);

-- Since when the person's second factor is on; null: off. It stands beside the password, so that opening a session
-- locks and checks both at once.
ALTER TABLE person ADD COLUMN second_factor_at timestamptz;

-- A second factor, on or only begun: see person.second_factor_at. One row a person.
CREATE TABLE second_factor (
  person_id uuid NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  id uuid NOT NULL,                     -- of this secret: beginning anew makes another
  secret text NOT NULL,                 -- of TOTP (RFC 6238); sealed, bound to the person
  last_step bigint NOT NULL DEFAULT 0,  -- the step of the last code that was accepted: no code of it or before is again
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The recovery codes that were not used. Only the SHA-256 of the person and the code is stored: a code has 80 random bits.
CREATE TABLE recovery_code (
  person_id uuid NOT NULL REFERENCES second_factor ON DELETE CASCADE,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  PRIMARY KEY (person_id, code_hash)
);

-- How long failures count, where that is longer than usual: codes are shorter than passwords.
ALTER TABLE sign_in_attempt ADD COLUMN window_seconds bigint NOT NULL DEFAULT 0;

-- Whether members act here in sessions only with a second factor.
ALTER TABLE organization ADD COLUMN requires_second_factor bool NOT NULL DEFAULT false;
CREATE OR REPLACE TRIGGER raise_version BEFORE UPDATE OF name, description, website_url, logo_url, favicon_url,
    is_auto_handling_conversations_enabled, is_onboarding_completed, requires_second_factor
  ON organization FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.website_url, OLD.logo_url, OLD.favicon_url,
         OLD.is_auto_handling_conversations_enabled, OLD.is_onboarding_completed, OLD.requires_second_factor)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.website_url, NEW.logo_url, NEW.favicon_url,
         NEW.is_auto_handling_conversations_enabled, NEW.is_onboarding_completed, NEW.requires_second_factor))
  EXECUTE FUNCTION raise_version();
