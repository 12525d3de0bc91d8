-- What the channel tells about an organization's account: bans, restrictions, limits, quality, errors.
CREATE TABLE account_notice (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  key text NOT NULL,  -- of the webhook's element, which may come again
  business_account_id text NOT NULL,
  phone_number text,  -- for display; null: the whole account
  kind text NOT NULL,  -- the webhook's field
  event text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('Information', 'Warning', 'Critical')),
  detail text NOT NULL,
  data jsonb NOT NULL,  -- the channel's own
  at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX account_notice_key ON account_notice (organization_id, key);
CREATE INDEX account_notice_recent ON account_notice (organization_id, business_account_id, at, id);
