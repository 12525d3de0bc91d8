-- How people sign in: passwords, sessions, and what slows down the guessing of passwords.

-- A sign-in. Only the SHA-256 of the token's secret is stored. Deleting the row ends it. It is a person's and not an
-- organization's: one sign-in serves all organizations of the person.
CREATE TABLE session (
  id uuid NOT NULL PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),  -- written once a minute at most
  expires_at timestamptz NOT NULL                   -- regardless of use
);
CREATE INDEX session_person ON session (person_id, created_at);

-- Failed and current attempts, by a hash of what is counted: an account from one address, an account, an address.
CREATE TABLE sign_in_attempt (
  subject bytea NOT NULL PRIMARY KEY,
  free int NOT NULL,  -- attempts before the first pause
  failures int NOT NULL,
  last_at timestamptz NOT NULL,
  locked_until timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX sign_in_attempt_age ON sign_in_attempt (last_at);

-- The holder of the token sets the person's password, once. Only the SHA-256 of the token's secret is stored. A person
-- has one token, the last that an operator requested.
CREATE TABLE password_token (
  person_id uuid NOT NULL PRIMARY KEY REFERENCES person ON DELETE CASCADE,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Networks that a person signed in from: a hash of person and network, as in sign_in_attempt.
CREATE TABLE known_network (
  person_id uuid NOT NULL REFERENCES person ON DELETE CASCADE,
  network bytea NOT NULL CHECK (octet_length(network) = 32),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, network)
);
