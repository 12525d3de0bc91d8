-- How far a service has followed the events of others. Part of the schema of each service that follows a feed.

-- The last position applied of each feed; moved by compare-and-set in the transaction that applies.
CREATE TABLE feed_cursor (
  producer text PRIMARY KEY,
  epoch uuid,  -- of the producer's feed; null before the first response
  position bigint NOT NULL DEFAULT 0
);

-- Events that could not be applied, set aside so that those behind them could be.
CREATE TABLE parked_event (
  producer text NOT NULL,
  epoch uuid NOT NULL,
  position bigint NOT NULL,
  changes jsonb NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz,  -- when it is retried; null: when the process starts, or an operator asks for it
  PRIMARY KEY (producer, epoch, position)
);
