-- Events that a service emits. Part of the schema of each service that emits.

-- One row per transaction, written with the changes that it describes. `position` is assigned only after that
-- transaction committed: a reader that sees position p sees everything below it too.
CREATE TABLE outbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,  -- assigned after the changed rows were locked: in their order
  position bigint,
  changes jsonb NOT NULL CHECK (jsonb_typeof(changes) = 'array'),
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX outbox_position ON outbox (position) WHERE position IS NOT NULL;
CREATE INDEX outbox_new ON outbox (id) WHERE position IS NULL;

-- One row. After a restore from a backup it gets a new epoch, as positions assigned after the backup are assigned
-- again.
CREATE TABLE feed (
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  head bigint NOT NULL DEFAULT 0,    -- the last position assigned
  pruned bigint NOT NULL DEFAULT 0,  -- events up to here may be gone
  single boolean PRIMARY KEY DEFAULT true CHECK (single)
) WITH (fillfactor = 50);
INSERT INTO feed DEFAULT VALUES;

-- Consumers that must have had an event before it is pruned.
CREATE TABLE feed_consumer (
  name text PRIMARY KEY,
  acknowledged bigint NOT NULL DEFAULT 0,
  seen_at timestamptz NOT NULL DEFAULT now()
);
