-- What campaigns achieved, counted by quarters of an hour: the days of every time zone begin at one. A count of recipients
-- stands in the quarter of their send, with what has become of them since; replies_at and clicks_at stand in the quarter in
-- which they happened. All are sums of differences: adding up quarters gives exact figures.

CREATE TABLE campaign_rollup (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  bucket timestamptz NOT NULL,
  recipients int NOT NULL,     -- messages that were to be sent
  sent int NOT NULL,           -- taken by the channel
  delivered int NOT NULL,      -- delivered or read
  read int NOT NULL,
  failed int NOT NULL,         -- never taken by the channel
  undelivered int NOT NULL,    -- taken, then failed
  replied int NOT NULL,        -- recipients
  engaged int NOT NULL,        -- recipients who replied or clicked
  replies int NOT NULL,        -- inbound messages
  conversations int NOT NULL,  -- opened
  replies_at int NOT NULL,
  clicks_at int NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, bucket)
) WITH (fillfactor = 70);

-- The same over all campaigns of an organization: a year of it is at most 35,136 rows, however much was sent.
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

-- Campaigns as they were told of last. They stay when they are deleted, as their figures do.
CREATE TABLE campaign (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  name text NOT NULL,
  list_ids uuid[] NOT NULL,
  tags text[] NOT NULL,      -- in lower case
  position bigint NOT NULL,  -- of the event that told it: a newer one holds
  PRIMARY KEY (organization_id, campaign_id)
);

-- Outbound messages stand in the quarter in which they were made, or for a campaign's were sent, by what has become of
-- them since: a message is in one of the six.
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
  deleted int NOT NULL,  -- and merged into another
  PRIMARY KEY (organization_id, bucket)
) WITH (fillfactor = 70);

-- What a feed's figures can be relied on for. No row: nothing was applied yet.
CREATE TABLE feed_coverage (
  producer text PRIMARY KEY,
  epoch uuid,
  position bigint,                   -- the last event applied
  applied_to timestamptz,            -- the newest moment of those applied
  exact_from timestamptz,            -- figures before may lack or repeat something; null: all are exact
  repeated_to bigint,                -- events of this epoch up to here were applied under the one before ..
  repeated_until timestamptz         -- .. if they are no newer than this
);
