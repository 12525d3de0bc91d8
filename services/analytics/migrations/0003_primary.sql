-- What campaigns are called and for whom, and an organization's messages, conversations and contacts, counted by quarters
-- of an hour as in 0001.

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
  epoch uuid NOT NULL,
  position bigint NOT NULL,          -- the last event applied
  applied_to timestamptz,            -- the newest moment of those applied
  exact_from timestamptz,            -- figures before may lack or repeat something; null: all are exact
  repeated_to bigint,                -- events of this epoch up to here were applied under the one before ..
  repeated_until timestamptz         -- .. if they are no newer than this
);
-- Figures of before this migration lack what only these tables hold.
INSERT INTO feed_coverage (producer, epoch, position, exact_from)
SELECT producer, epoch, position, now() FROM feed_cursor
WHERE producer = 'conversations' AND position > 0 AND epoch IS NOT NULL;
