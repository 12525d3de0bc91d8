-- What campaigns achieved, in quarters of an hour: days of every time zone begin at one. Recipients count in the
-- quarter in which they were sent to, with their present state; replies_at and clicks_at count in the quarter in which
-- they happened. All are sums of differences: adding up quarters gives exact figures.

CREATE TABLE campaign_rollup (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  recipients int NOT NULL,     -- messages to be sent
  sent int NOT NULL,           -- accepted by the channel
  delivered int NOT NULL,      -- delivered or read
  read int NOT NULL,
  failed int NOT NULL,         -- never accepted by the channel
  undelivered int NOT NULL,    -- accepted, then failed
  replied int NOT NULL,        -- recipients
  engaged int NOT NULL,        -- recipients who replied or clicked
  replies int NOT NULL,        -- inbound messages
  conversations int NOT NULL,  -- opened
  replies_at int NOT NULL,
  clicks_at int NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, bucket)
) WITH (fillfactor = 70);

-- The same for an organization: at most 35,136 rows a year, however much was sent.
CREATE TABLE organization_rollup (
  organization_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  recipients int NOT NULL,
  sent int NOT NULL,
  delivered int NOT NULL,
  read int NOT NULL,
  failed int NOT NULL,
  undelivered int NOT NULL,
  replied int NOT NULL,
  engaged int NOT NULL,
  replies int NOT NULL,
  conversations int NOT NULL,
  replies_at int NOT NULL,
  clicks_at int NOT NULL,
  PRIMARY KEY (organization_id, bucket)
) WITH (fillfactor = 70);

-- Campaigns as last described by an event. Deleted campaigns stay, as their figures do.
CREATE TABLE campaign (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  name text NOT NULL,
  list_ids uuid[] NOT NULL,
  tags text[] NOT NULL,      -- in lower case
  position bigint NOT NULL,  -- of that event: a newer one wins
  PRIMARY KEY (organization_id, campaign_id)
);

-- Outbound messages count in the quarter in which they were made (a campaign's: sent), by their present status: each in
-- one of the six.
CREATE TABLE message_rollup (
  organization_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  inbound int NOT NULL,
  queued int NOT NULL,
  sent int NOT NULL,
  undelivered int NOT NULL,
  delivered int NOT NULL,
  read int NOT NULL,
  failed int NOT NULL,
  opened_by_contact int NOT NULL,   -- conversations
  opened_by_campaign int NOT NULL,
  opened_by_member int NOT NULL,
  PRIMARY KEY (organization_id, bucket)
) WITH (fillfactor = 70);

CREATE TABLE contact_rollup (
  organization_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  created int NOT NULL,
  deleted int NOT NULL,  -- or merged into another
  PRIMARY KEY (organization_id, bucket)
) WITH (fillfactor = 70);

-- From when on the figures of a feed are reliable. No row: nothing was applied yet. Only
-- producer and exact_from are used.
CREATE TABLE feed_coverage (
  producer text PRIMARY KEY,
  epoch uuid,
  position bigint,                   -- the last event applied
  applied_to timestamptz,            -- the newest time of an applied event
  exact_from timestamptz,            -- earlier figures may lack or repeat something; null: all are exact
  repeated_to bigint,                -- events of this epoch up to here were applied under the previous one ..
  repeated_until timestamptz         -- .. if they are no newer than this
);
