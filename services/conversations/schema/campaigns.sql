-- Campaigns: one message to many contacts, once each.

-- Rows of a campaign refer to it without a foreign key: each send would lock the campaign's row, and campaigns are
-- never removed.
CREATE TABLE campaign (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'Draft'
    CHECK (status IN ('Draft', 'Scheduled', 'Running', 'Paused', 'Cancelled', 'Finished')),
  created_at timestamptz NOT NULL DEFAULT now(),
  description text NOT NULL DEFAULT '',
  message jsonb NOT NULL DEFAULT '{"type": "Text", "text": ""}',  -- as in the API
  variants jsonb NOT NULL DEFAULT '[]',  -- variants for shares of the recipients: [{"name", "share", "message"}]
  list_ids uuid[] NOT NULL DEFAULT '{}',
  excluded_list_ids uuid[] NOT NULL DEFAULT '{}',
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  told_tags text[] NOT NULL DEFAULT '{}',  -- ids and labels as last emitted in campaign.described
  phone_number_id text,  -- the account's; null until it starts
  scheduled_at timestamptz,
  timezone text NOT NULL DEFAULT 'UTC',  -- in which its schedule is shown
  allowed_lateness int NOT NULL DEFAULT 3600,  -- seconds after scheduled_at; later it does not start by itself
  messages_per_second int,  -- null: the number's limit
  status_reason text NOT NULL DEFAULT '',  -- why it is Paused, or waits while Running
  updated_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,   -- when it first became Running
  finished_at timestamptz,  -- Finished or Cancelled
  deleted_at timestamptz,   -- hidden since; its figures and links stay
  -- Progress of reading the audience: the last contact, and how many so far. Advanced by compare-and-set in the
  -- transaction that inserts the targets, so that concurrent readers neither skip nor repeat one.
  audience_done bool NOT NULL DEFAULT false,
  audience_after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  audience_count int NOT NULL DEFAULT 0,
  audience_owner uuid,               -- the process that reads; for liveness only
  audience_lease timestamptz,        -- no other process reads before then; without an owner: not retried before
  -- Held after a restore: a campaign that may have gone on after the backup is Paused until an operator releases it and
  -- says up to which ordinal it may have sent. Those targets get messages in doubt that are never sent; the channel's
  -- statuses may settle them.
  held bool NOT NULL DEFAULT false,
  doubtful int NOT NULL DEFAULT 0,
  -- The status of a held campaign in the backup, so that campaigns paused by members are not resumed. Null: not held.
  held_status text,
  -- Not raised by the progress of the audience, nor by status_reason.
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX campaign_running ON campaign (organization_id, phone_number_id) WHERE status = 'Running';
CREATE INDEX campaign_scheduled ON campaign (scheduled_at) WHERE status = 'Scheduled';
CREATE INDEX campaign_cancelled ON campaign (finished_at) WHERE status = 'Cancelled';
CREATE INDEX campaign_audience ON campaign (audience_lease) WHERE status = 'Running' AND NOT audience_done;
CREATE INDEX campaign_open ON campaign (organization_id, id) WHERE status IN ('Scheduled', 'Running', 'Paused');
CREATE INDEX campaign_draft ON campaign (organization_id) WHERE status = 'Draft' AND deleted_at IS NULL;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, status, message, variants, list_ids, excluded_list_ids,
    tag_ids, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second
  ON campaign FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.status, OLD.message, OLD.variants, OLD.list_ids, OLD.excluded_list_ids,
         OLD.tag_ids, OLD.phone_number_id, OLD.scheduled_at, OLD.timezone, OLD.allowed_lateness, OLD.messages_per_second)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.status, NEW.message, NEW.variants, NEW.list_ids, NEW.excluded_list_ids,
         NEW.tag_ids, NEW.phone_number_id, NEW.scheduled_at, NEW.timezone, NEW.allowed_lateness, NEW.messages_per_second))
  EXECUTE FUNCTION raise_version();

-- The recipients of a campaign as of its start, written once, in order. Outcomes are in the messages: nothing here is
-- updated while sending, so that the millionth target costs as much as the first.
CREATE TABLE target (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  ordinal int NOT NULL,      -- from 1
  contact_id uuid NOT NULL,
  recipient text NOT NULL,   -- a phone number with its plus, or the channel's id of a user without one, or ''
  variant smallint NOT NULL DEFAULT 0,  -- 0: the campaign's message, n: its n-th variant
  message_id uuid NOT NULL,  -- the id of its future message: a second first attempt conflicts on this key
  parameters text[] NOT NULL,  -- values of the message's variables only; null where the contact has none
  skipped text CHECK (skipped IN ('OptedOut', 'Blocked', 'Inactive', 'Invalid', 'Duplicate', 'MissingValue', 'Deleted')),
  PRIMARY KEY (organization_id, campaign_id, ordinal)
);
CREATE UNIQUE INDEX target_contact ON target (organization_id, campaign_id, contact_id);

-- A recipient keeps its contact id while the audience, which is read in the order of contacts, may still bring the
-- other id.
CREATE FUNCTION keep_name() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF EXISTS (SELECT FROM campaign c
             WHERE c.organization_id = NEW.organization_id AND c.id = NEW.campaign_id
               AND c.status IN ('Scheduled', 'Running', 'Paused') AND NOT c.audience_done
               AND c.audience_after < NEW.contact_id) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_name BEFORE UPDATE OF contact_id ON target FOR EACH ROW
  WHEN (OLD.contact_id <> NEW.contact_id) EXECUTE FUNCTION keep_name();

-- Targets are sent in chunks. The owner of the campaign's phone number takes one at a time. A chunk with another owner
-- was left by a dispatcher that is gone: its Queued messages may have been sent.
CREATE TABLE chunk (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  first int NOT NULL,  -- ordinals
  last int NOT NULL,
  owner uuid,          -- the dispatcher
  done bool NOT NULL DEFAULT false,  -- each target has its message, and no first attempt is under way
  PRIMARY KEY (organization_id, campaign_id, first)
) WITH (fillfactor = 50);
CREATE INDEX chunk_open ON chunk (organization_id, campaign_id, first) WHERE NOT done;
-- Chunks begun by a dispatcher.
CREATE INDEX chunk_held ON chunk (organization_id, campaign_id, first) WHERE owner IS NOT NULL AND NOT done;

-- Counters of a campaign, updated by engagement::CampaignCounters in the transactions that change them. Each
-- transaction picks one of several slots at random, so that writers do not wait for each other: only sums are
-- meaningful, single rows may be negative. Quarters of an hour that are over are folded: each counter becomes a single
-- row with slot -1, and is added to a row "Folded " || what of the whole campaign, with quarter '-infinity' and slot 0.
-- So sums by quarter and by name stay exact, and the current state is the sum of the rows with slots from 0 on.
CREATE TABLE campaign_count (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  -- Of an hour: when the message was made, or for "..At" when it happened; 'epoch' for targets and links.
  quarter timestamptz NOT NULL,
  what text NOT NULL,
  slot smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, quarter, what, slot)
) WITH (fillfactor = 50);
CREATE INDEX campaign_count_open ON campaign_count (organization_id, campaign_id) WHERE slot >= 0;
CREATE INDEX campaign_count_past ON campaign_count (quarter) WHERE slot >= 0 AND quarter > 'epoch';

-- The figures last emitted of a Running campaign, and its speed. The transaction that advances `at` emits.
CREATE TABLE campaign_rate (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  since timestamptz NOT NULL,  -- start of uninterrupted observation
  at timestamptz NOT NULL,
  accepted bigint NOT NULL,    -- messages that the channel had accepted or refused by then
  rate float8 NOT NULL,        -- of those a second: an average weighted by the time since the last look
  figures bigint[] NOT NULL,
  PRIMARY KEY (organization_id, campaign_id)
) WITH (fillfactor = 50);

-- What a recipient did, from its first action on. Keyed by message and not by contact, as contacts may be merged.
CREATE TABLE engagement (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of the target
  replies int NOT NULL DEFAULT 0,
  clicks int NOT NULL DEFAULT 0,
  replied_at timestamptz,  -- the first time
  clicked_at timestamptz,
  PRIMARY KEY (organization_id, campaign_id, message_id)
) WITH (fillfactor = 80);

-- Destinations of the links in a campaign's messages. A link's code holds this id, the recipient's ordinal and a tag
-- keyed by the secret: no row per recipient, and no code can be guessed. Visitors have no organization: the id finds
-- it.
CREATE TABLE campaign_url (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  url text NOT NULL,
  secret bytea NOT NULL CHECK (length(secret) = 16)
);
CREATE UNIQUE INDEX campaign_url_campaign ON campaign_url (organization_id, campaign_id, md5(url));

-- One row per visit of a link. The process that receives a click makes its id, so that writing it again has no effect.
CREATE TABLE click (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  id uuid NOT NULL,
  url_id bigint NOT NULL,
  ordinal int NOT NULL,   -- of the target
  at timestamptz NOT NULL,
  preview bool NOT NULL,  -- requested by a link preview, as far as can be told
  first bool NOT NULL,    -- the first visit of this recipient to this URL
  PRIMARY KEY (organization_id, campaign_id, id)
);
CREATE UNIQUE INDEX click_first ON click (organization_id, campaign_id, url_id, ordinal) WHERE first;

-- How many contacts outside their service window were written to first, by hour: the channel limits their number in any
-- 24 hours.
CREATE TABLE reach (
  organization_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  people int NOT NULL,
  PRIMARY KEY (organization_id, hour)
) WITH (fillfactor = 50);

-- Lists made from a campaign's recipients, in the background.
CREATE TABLE retarget (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  list_id uuid NOT NULL,
  criteria jsonb NOT NULL,          -- as in the API
  ordinal int NOT NULL DEFAULT 0,   -- recipients up to here were examined
  contacts int NOT NULL DEFAULT 0,  -- contacts added to the list
  lease_until timestamptz,          -- a worker's lease; for liveness only
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  failure text NOT NULL DEFAULT '',  -- why it ended early
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX retarget_open ON retarget (created_at) WHERE finished_at IS NULL;
