-- Changes of many contacts at once, worked off in the background by the process that holds the lease, like imports.
CREATE TABLE bulk_change (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  contacts jsonb NOT NULL,  -- which ones, as in the API; the filter of a segment as it was at the start
  action jsonb NOT NULL,    -- what is done, as in the API; tags by their ids
  expected bigint NOT NULL CHECK (expected > 0),  -- so many matched at the start; never more are changed
  until uuid NOT NULL,      -- the newest contact at the start: later ones are not looked at
  status text NOT NULL DEFAULT 'Queued' CHECK (status IN ('Queued', 'Running', 'Finished', 'Failed', 'Cancelled')),
  failure text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- Progress: advanced by the transaction that changes the contacts, so that none is changed twice.
  position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',  -- the last contact that was looked at
  changed bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),  -- the first ones
  -- The process that works on it; after `lease_until` another may continue.
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,  -- to continue from `position`
  -- When a process last took it, or changed some of its contacts; -infinity: never.
  served_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX bulk_change_open ON bulk_change (organization_id, id) WHERE status IN ('Queued', 'Running');
CREATE INDEX bulk_change_finished ON bulk_change (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX bulk_change_served ON bulk_change (organization_id, served_at);
