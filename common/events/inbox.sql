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
