-- What the channel lists, and the queue of what is sent to it.

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
  messaging_limit text,  -- TIER_250, TIER_2K, TIER_10K, TIER_100K, TIER_UNLIMITED; null: not told
  PRIMARY KEY (organization_id, id)
);

-- A phone number, which one dispatcher at a time sends from and paces.
CREATE TABLE sender (
  organization_id uuid NOT NULL,
  phone_number_id text NOT NULL,
  owner uuid,               -- the dispatcher
  lease_until timestamptz,  -- its lease; for liveness only: what fences is message's key and outgoing's claim
  -- The channel will not take anything from this number until then, and why.
  stopped_until timestamptz,
  stop_code int,
  stop_text text,
  PRIMARY KEY (organization_id, phone_number_id)
) WITH (fillfactor = 50);  -- leases are renewed in place, as no index has them
CREATE INDEX sender_owner ON sender (owner) WHERE owner IS NOT NULL;

-- Single messages and read receipts that the channel has not answered for good yet. A row goes with its answer.
CREATE TABLE outgoing (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of a receipt: the message that was read
  kind text NOT NULL CHECK (kind IN ('Message', 'Receipt')),
  phone_number_id text NOT NULL,
  contact_id uuid NOT NULL,
  recipient text NOT NULL,  -- a phone number with its plus, or else the channel's id of a user without one
  -- Sending is committed before the first octet leaves: found so after its dispatcher is gone, it may have been sent.
  state text NOT NULL DEFAULT 'Due' CHECK (state IN ('Due', 'Sending', 'InDoubt')),
  attempt int NOT NULL DEFAULT 0,  -- times that it was sent and refused, the one under way included
  claim uuid,  -- of the transaction that made it Sending: only who made the claim knows that nothing was sent by it
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),  -- Due: not before. Sending: since when. InDoubt: when it counts as Failed
  expires_at timestamptz NOT NULL,            -- what could not be sent by then has Failed
  created_at timestamptz NOT NULL DEFAULT now(),
  error_code int,   -- of the latest refusal
  error_text text,
  -- Of a campaign's message that is to be sent again, or may have been sent. Those of others than Running ones wait.
  campaign_id uuid,
  PRIMARY KEY (organization_id, message_id, kind)
);
CREATE INDEX outgoing_due ON outgoing (organization_id, phone_number_id, state, due_at, message_id);
-- What was said to somebody before, and may still be sent: later messages to them wait for it.
CREATE INDEX outgoing_recipient ON outgoing (organization_id, phone_number_id, recipient, created_at, message_id)
  WHERE state <> 'InDoubt';
CREATE INDEX outgoing_expiry ON outgoing (expires_at) WHERE state = 'Due';
CREATE INDEX outgoing_campaign ON outgoing (organization_id, campaign_id, state) WHERE campaign_id IS NOT NULL;
CREATE INDEX outgoing_state ON outgoing (state, due_at);

-- The channel's message ids, each once: what is delivered to us again is told by them, and statuses find their message.
-- Hashed, since a phone number can be read from them and they stay when the contact is deleted.
CREATE TABLE channel_message (
  organization_id uuid NOT NULL,
  key uuid NOT NULL,  -- channel_key()
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, key)
);
