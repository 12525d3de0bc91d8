-- Events that a service emits. Part of the schema of each service that emits.

-- A row a transaction, written with what it tells of. `position` is given only after that transaction has committed, so
-- that whoever sees position p can see everything below it too.
CREATE TABLE outbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,  -- taken after the rows it tells of were locked: their order
  position bigint,
  changes jsonb NOT NULL CHECK (jsonb_typeof(changes) = 'array'),
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE UNIQUE INDEX outbox_position ON outbox (position) WHERE position IS NOT NULL;
CREATE INDEX outbox_new ON outbox (id) WHERE position IS NULL;

-- One row. Whoever restores this database from a backup gives it a new epoch: positions that were given after the backup
-- will be given again to other events.
CREATE TABLE feed (
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  head bigint NOT NULL DEFAULT 0,    -- the last position given
  pruned bigint NOT NULL DEFAULT 0,  -- events up to here may be gone
  single boolean PRIMARY KEY DEFAULT true CHECK (single)
) WITH (fillfactor = 50);
INSERT INTO feed DEFAULT VALUES;

-- Who must have had an event before it is pruned.
CREATE TABLE feed_consumer (
  name text PRIMARY KEY,
  acknowledged bigint NOT NULL DEFAULT 0,
  seen_at timestamptz NOT NULL DEFAULT now()
);
