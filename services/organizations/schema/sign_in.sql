-- How people sign in: passwords, sessions, and what slows down the guessing of passwords.

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

-- Whoever has the token sets the person's password, once. Of the token's secret only its SHA-256 is here. A person has
-- one, the last that an operator asked for.
CREATE TABLE password_token (
  person_id uuid NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Where a person signed in from: a hash of the person and the network, as in sign_in_attempt.
CREATE TABLE known_network (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  network bytea NOT NULL CHECK (octet_length(network) = 32),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, network)
);
