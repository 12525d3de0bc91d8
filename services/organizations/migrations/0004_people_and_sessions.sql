-- How people sign in: passwords, sessions, and what stops who guesses passwords.

-- Argon2id in its usual text form, with its salt and cost. Without one the person has no password yet, and acts by API
-- keys.
ALTER TABLE person ADD COLUMN password_hash text;

-- A sign-in. Of the token's secret only its SHA-256 is here. It ends with the row; it is a person's, not an
-- organization's, as one sign-in serves all of a person's organizations.
CREATE TABLE session (
  id uuid NOT NULL PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),  -- to the minute
  expires_at timestamptz NOT NULL                   -- however much it is used
);
CREATE INDEX session_person ON session (person_id, created_at);

-- Attempts that failed or are under way, by a hash of what is counted: an account from one address, an account, an
-- address.
CREATE TABLE sign_in_attempt (
  subject bytea NOT NULL PRIMARY KEY,
  free int NOT NULL,  -- attempts before the first pause
  failures int NOT NULL,
  last_at timestamptz NOT NULL,
  locked_until timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX sign_in_attempt_age ON sign_in_attempt (last_at);

-- The keys that are listed: a member's that were replaced may be many.
CREATE INDEX credential_live ON credential (organization_id, member_id, id) WHERE revoked_at IS NULL;
