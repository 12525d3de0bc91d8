-- What the channel lists of an organization's business account, and the queue of messages to it. The channel allows a
-- few hundred such calls an hour, and the last lists are shown while it is unreachable.

-- When a list was read. Rows of another business account than the organization's are obsolete.
CREATE TABLE channel_list (
  organization_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('Templates', 'PhoneNumbers')),
  business_account_id text NOT NULL,
  listed_at timestamptz NOT NULL,  -- -infinity: due again
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
  status_reason text NOT NULL DEFAULT '',  -- reason of a rejection, from a webhook
  status_at timestamptz NOT NULL DEFAULT '-infinity',  -- time of a webhook's status; older lists do not overwrite it
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
  messaging_limit text,  -- TIER_250, TIER_2K, TIER_10K, TIER_100K, TIER_UNLIMITED; null: unknown
  PRIMARY KEY (organization_id, id)
);

-- A phone number. One dispatcher at a time sends from it, at its rate.
CREATE TABLE sender (
  organization_id uuid NOT NULL,
  phone_number_id text NOT NULL,
  owner uuid,               -- the dispatcher
  lease_until timestamptz,  -- its lease, for liveness only: the message's key and outgoing.claim are the fence
  -- Until when, and why, the channel accepts nothing from this number.
  stopped_until timestamptz,
  stop_code int,
  stop_text text,
  PRIMARY KEY (organization_id, phone_number_id)
) WITH (fillfactor = 50);  -- leases are renewed by HOT updates: no index has these columns
CREATE INDEX sender_owner ON sender (owner) WHERE owner IS NOT NULL;

-- Messages and read receipts without a final answer of the channel. The row is deleted with that answer.
CREATE TABLE outgoing (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of a receipt: the message that was read
  kind text NOT NULL CHECK (kind IN ('Message', 'Receipt')),
  phone_number_id text NOT NULL,
  contact_id uuid NOT NULL,
  recipient text NOT NULL,  -- a phone number with its plus, or the channel's id of a user without one
  -- Sending is committed before the first octet leaves: a row found in it after its dispatcher is gone may have been
  -- sent.
  state text NOT NULL DEFAULT 'Due' CHECK (state IN ('Due', 'Sending', 'InDoubt')),
  attempt int NOT NULL DEFAULT 0,  -- attempts that were refused, and the one under way
  claim uuid,  -- of the transaction that made it Sending: only the claim's owner knows whether it was sent
  -- Due: not before. Sending: since when. InDoubt: when it becomes Failed. By the clock, not by the transaction's
  -- start: see queue_floor.hpp.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,            -- Failed if not sent by then
  created_at timestamptz NOT NULL DEFAULT now(),
  error_code int,   -- of the last refusal
  error_text text,
  -- The campaign of a message that is to be sent again or is in doubt. Rows wait while the campaign is not Running.
  campaign_id uuid,
  PRIMARY KEY (organization_id, message_id, kind)
);
CREATE INDEX outgoing_due ON outgoing (organization_id, phone_number_id, state, due_at, message_id);
-- Earlier messages to a recipient that may still be sent: later ones wait for them.
CREATE INDEX outgoing_recipient ON outgoing (organization_id, phone_number_id, recipient, created_at, message_id)
  WHERE state <> 'InDoubt';
CREATE INDEX outgoing_expiry ON outgoing (expires_at) WHERE state = 'Due';
CREATE INDEX outgoing_campaign ON outgoing (organization_id, campaign_id, state) WHERE campaign_id IS NOT NULL;
CREATE INDEX outgoing_state ON outgoing (state, due_at);

-- The channel's message ids, each once: they detect repeated deliveries, and statuses find their message. Hashed, as an
-- id contains a phone number and the row outlives the contact.
CREATE TABLE channel_message (
  organization_id uuid NOT NULL,
  key uuid NOT NULL,  -- channel_key()
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, key)
);
