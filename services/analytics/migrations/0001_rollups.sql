-- What campaigns achieved, counted by quarters of an hour: every time zone's days begin at one. A count of recipients
-- stands in the quarter of their send, with what has become of them since; replies_at and clicks_at stand in the quarter
-- when they happened. All are sums of differences, so adding up quarters gives exact figures.

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

-- What a service has learned from the others. A service that follows a feed copies this into a migration.

-- How far each feed has been applied; moved in the transaction that applies, by compare-and-set.
CREATE TABLE feed_cursor (
  producer text PRIMARY KEY,
  epoch uuid,  -- of the producer's feed; null before the first answer
  position bigint NOT NULL DEFAULT 0
);

-- Events that could not be applied, set aside so that those behind them could. Tried again when the process starts.
CREATE TABLE parked_event (
  producer text NOT NULL,
  epoch uuid NOT NULL,
  position bigint NOT NULL,
  changes jsonb NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (producer, epoch, position)
);
