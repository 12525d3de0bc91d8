-- What other services' deletions leave behind here.

-- A conversation that was Deleted with its contact is a tombstone: it is still answered, as what is left of it. One that a
-- member had Deleted before is not.
ALTER TABLE conversation ADD COLUMN tombstone boolean NOT NULL DEFAULT false CHECK (status = 'Deleted' OR NOT tombstone);

-- What is no more and may still have rows here: see common/removals.

-- A row is written in the transaction that deletes; nothing of what it names is shown from then on.
CREATE TABLE removal (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,  -- of what was deleted
  started_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- when it is to be worked on again
  finished_at timestamptz,                    -- of those that are kept
  PRIMARY KEY (organization_id, kind, id)
);
CREATE INDEX removal_due ON removal (due_at) WHERE finished_at IS NULL;

-- What this service has learned from contacts and organizations: see common/events.

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
