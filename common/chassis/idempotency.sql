-- Responses that are replayed to repeated requests. Part of the schema of each service that has chassis::Idempotency.

-- What a request with an Idempotency-Key was answered, for 24 hours. Neither the key nor the request can be read from it:
-- both are hashes, the request's salted with its key, as bodies may hold passwords.
CREATE TABLE idempotency (
  organization_id uuid NOT NULL,  -- nil for routes that belong to no organization
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,     -- of method, target, body and member
  status int NOT NULL,
  head text NOT NULL,             -- its fields, each with its line's end
  body bytea,                     -- null where it held a secret, which is shown once
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key_hash)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
