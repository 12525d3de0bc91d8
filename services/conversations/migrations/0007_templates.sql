-- What the channel lists of an organization's business account: it may be asked a few hundred times an hour, and what it
-- said last is shown while it is away.

-- When it was asked. What lies under another business account than the organization's is of no use any more.
CREATE TABLE channel_list (
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('Templates', 'PhoneNumbers')),
  business_account_id text NOT NULL,
  listed_at timestamptz NOT NULL,  -- -infinity: is to be asked again
  PRIMARY KEY (organization_id, kind)
);
CREATE INDEX channel_list_account ON channel_list (business_account_id);

CREATE TABLE template (
  organization_id uuid NOT NULL,
  id text NOT NULL,  -- the channel's, as all ids here
  business_account_id text NOT NULL,
  name text NOT NULL,
  language text NOT NULL,
  category text NOT NULL,
  status text NOT NULL,  -- APPROVED, PENDING, REJECTED, PAUSED, DISABLED ...
  status_reason text NOT NULL DEFAULT '',  -- why it was refused, as a webhook told
  status_at timestamptz NOT NULL DEFAULT '-infinity',  -- when a webhook told the status: lists from before it do not count
  components jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX template_name ON template (organization_id, name, language, id);
CREATE INDEX template_account ON template (business_account_id, id);

CREATE TABLE phone_number (
  organization_id uuid NOT NULL,
  id text NOT NULL,
  business_account_id text NOT NULL,
  display_phone_number text NOT NULL,
  verified_name text NOT NULL,
  quality_rating text NOT NULL,
  throughput text NOT NULL,
  registered bool NOT NULL,
  PRIMARY KEY (organization_id, id)
);
