-- Responses that are replayed to repeated requests. Part of the schema of each service that has chassis::Idempotency.

-- The response to a request with an Idempotency-Key, for 24 hours. Key and request are hashes (the request's salted
-- with its key, as bodies may contain passwords), so that neither can be read from them.
CREATE TABLE idempotency (
  organization_id uuid NOT NULL,  -- nil for routes that belong to no organization
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,     -- of method, target, body and member
  status int NOT NULL,
  head text NOT NULL,             -- its header fields, one a line
  body bytea,                     -- null: it contained a secret, which is shown once, or was too long to keep
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, key_hash)
);
CREATE INDEX idempotency_age ON idempotency (created_at);
