-- Campaigns: one message to many contacts, once each.

-- What belongs to a campaign names it without a foreign key: each send would lock the one row of its campaign, and campaigns
-- are never removed from this table.
CREATE TABLE campaign (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'Draft'
    CHECK (status IN ('Draft', 'Scheduled', 'Running', 'Paused', 'Cancelled', 'Finished')),
  created_at timestamptz NOT NULL DEFAULT now(),
  description text NOT NULL DEFAULT '',
  message jsonb NOT NULL DEFAULT '{"type": "Text", "text": ""}',  -- as the API has it
  variants jsonb NOT NULL DEFAULT '[]',  -- others for shares of the recipients: [{"name", "share", "message"}]
  list_ids uuid[] NOT NULL DEFAULT '{}',
  excluded_list_ids uuid[] NOT NULL DEFAULT '{}',
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  told_tags text[] NOT NULL DEFAULT '{}',  -- as campaign.described told them last: their ids and labels
  phone_number_id text,  -- null until it starts: the account's
  scheduled_at timestamptz,
  timezone text NOT NULL DEFAULT 'UTC',  -- that its schedule is shown in
  allowed_lateness int NOT NULL DEFAULT 3600,  -- seconds after scheduled_at; found later it does not start by itself
  messages_per_second int,  -- null: as fast as the number may
  status_reason text NOT NULL DEFAULT '',  -- why it is Paused, or Running and waiting
  updated_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,   -- first Running
  finished_at timestamptz,  -- Finished or Cancelled
  deleted_at timestamptz,   -- shown no more; its figures and links stay
  -- The stream of its audience: the last contact that has come, and as how many-th. Moved by compare-and-set in the
  -- transaction that adds the targets, so that none is missed or added twice, whoever streams.
  audience_done bool NOT NULL DEFAULT false,
  audience_after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  audience_count int NOT NULL DEFAULT 0,
  audience_owner uuid,               -- who streams; for liveness only
  audience_lease timestamptz,        -- until then nobody else does; without an owner: it is not tried again before
  -- A campaign that may have gone on after the backup waits as Paused, and is resumed only when an operator has let it go and
  -- said to whom it may have been sent: those up to an ordinal get messages that are in doubt from the first and are never
  -- sent. The channel's statuses settle them, if there come any.
  held bool NOT NULL DEFAULT false,
  doubtful int NOT NULL DEFAULT 0,
  -- What a held campaign's status was in the backup: one that its members had paused is not resumed with all others.
  -- Null: it is not held, or was before this migration.
  held_status text,
  -- Neither how far its audience has come nor why it waits.
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

-- Whom a campaign is for, as they were when it started: written once, in order. What became of a target is in its
-- message; nothing is updated here while it is sent, so that the millionth costs what the first does.
CREATE TABLE target (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  ordinal int NOT NULL,      -- from 1
  contact_id uuid NOT NULL,
  recipient text NOT NULL,   -- a phone number with its plus, or else the channel's id of a user without one; '' if there is neither
  variant smallint NOT NULL DEFAULT 0,  -- 0: the campaign's message, n: the n-th of its variants
  message_id uuid NOT NULL,  -- that its message will have: a second first attempt is a second row with this key
  parameters text[] NOT NULL,  -- values of the variables of the message, and of nothing else; null where the contact has none
  skipped text CHECK (skipped IN ('OptedOut', 'Blocked', 'Inactive', 'Invalid', 'Duplicate', 'MissingValue', 'Deleted')),
  PRIMARY KEY (organization_id, campaign_id, ordinal)
);
CREATE UNIQUE INDEX target_contact ON target (organization_id, campaign_id, contact_id);

-- Nor does a recipient get another name while the campaign's audience may still bring that one: it comes in the order of
-- contacts.
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

-- Targets are sent in chunks. The owner of the campaign's phone number takes one after the other; one that has another
-- owner was left by a dispatcher that is gone, and what is Queued of it may have been sent.
CREATE TABLE chunk (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  first int NOT NULL,  -- ordinals
  last int NOT NULL,
  owner uuid,          -- the dispatcher
  done bool NOT NULL DEFAULT false,  -- all of it have their message, and none of these is on its way for the first time
  PRIMARY KEY (organization_id, campaign_id, first)
) WITH (fillfactor = 50);
CREATE INDEX chunk_open ON chunk (organization_id, campaign_id, first) WHERE NOT done;
-- Chunks that a dispatcher has begun.
CREATE INDEX chunk_held ON chunk (organization_id, campaign_id, first) WHERE owner IS NOT NULL AND NOT done;

-- How a campaign stands, kept by campaigns::Tally in the transactions that change it. Several rows, of which each
-- transaction takes one at random, so that writers do not wait for each other: sums count, single ones may be negative.
CREATE TABLE campaign_count (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  quarter timestamptz NOT NULL,  -- of an hour: of the message's making, or for ..At of when it happened; of targets and links: 'epoch'
  what text NOT NULL,
  slot smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, quarter, what, slot)
) WITH (fillfactor = 50);
CREATE INDEX campaign_count_open ON campaign_count (organization_id, campaign_id) WHERE slot >= 0;
CREATE INDEX campaign_count_past ON campaign_count (quarter) WHERE slot >= 0 AND quarter > 'epoch';

-- What was last told of a Running campaign, and how fast it was going. Whoever moves `at` tells.
CREATE TABLE campaign_rate (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  since timestamptz NOT NULL,  -- when it began to be looked at, without a gap
  at timestamptz NOT NULL,
  accepted bigint NOT NULL,    -- messages that the channel had judged by then
  rate float8 NOT NULL,        -- of them a second: a look weighs the more the longer it is since the one before
  figures bigint[] NOT NULL,
  PRIMARY KEY (organization_id, campaign_id)
) WITH (fillfactor = 50);

-- What recipients did; made when one first does something. By their message, not by their contact, which may be merged
-- into another: a target has both.
CREATE TABLE engagement (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of the target
  replies int NOT NULL DEFAULT 0,
  clicks int NOT NULL DEFAULT 0,
  replied_at timestamptz,  -- the earliest
  clicked_at timestamptz,
  PRIMARY KEY (organization_id, campaign_id, message_id)
) WITH (fillfactor = 80);

-- Where the links in a campaign's messages lead. A link's code has the id, the recipient's ordinal and a tag by the secret:
-- there is no row a recipient, and none can be guessed. Whoever follows one belongs to no organization: the id finds it.
CREATE TABLE campaign_url (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  url text NOT NULL,
  secret bytea NOT NULL CHECK (length(secret) = 16)
);
CREATE UNIQUE INDEX campaign_url_campaign ON campaign_url (organization_id, campaign_id, md5(url));

-- Each time that a link was followed. Who takes a click gives it its id, so that writing it again does no harm.
CREATE TABLE click (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  id uuid NOT NULL,
  url_id bigint NOT NULL,
  ordinal int NOT NULL,   -- of the target
  at timestamptz NOT NULL,
  preview bool NOT NULL,  -- asked for by what shows a link's preview, as far as that can be told
  first bool NOT NULL,    -- this recipient's first on this URL
  PRIMARY KEY (organization_id, campaign_id, id)
);
CREATE UNIQUE INDEX click_first ON click (organization_id, campaign_id, url_id, ordinal) WHERE first;

-- To how many people outside their service window something was sent first, by hours: the channel limits their number in
-- any 24 hours.
CREATE TABLE reach (
  organization_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  people int NOT NULL,
  PRIMARY KEY (organization_id, hour)
) WITH (fillfactor = 50);

-- Lists that are made of a campaign's recipients, in the background.
CREATE TABLE retarget (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  list_id uuid NOT NULL,
  criteria jsonb NOT NULL,          -- as the API has them
  ordinal int NOT NULL DEFAULT 0,   -- up to here its recipients were looked at
  contacts int NOT NULL DEFAULT 0,  -- of them in the list
  lease_until timestamptz,          -- somebody is at it; for liveness only
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  failure text NOT NULL DEFAULT '',  -- why it ended before its end
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX retarget_open ON retarget (created_at) WHERE finished_at IS NULL;
