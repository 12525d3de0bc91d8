-- Imports of contacts: the file is staged in chunks as it arrives; the process that holds the lease then applies it.

CREATE TABLE import (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  list_id uuid,           -- what the contacts join; it may be deleted meanwhile
  on_conflict text NOT NULL CHECK (on_conflict IN ('skip', 'update')),
  country text NOT NULL,  -- where national numbers are dialled, '' for nowhere
  delimiter text NOT NULL,
  headers text[] NOT NULL,
  targets text[] NOT NULL,  -- what each column is: name, phone, tags, attributes.KEY, -
  status text NOT NULL DEFAULT 'Uploading'
    CHECK (status IN ('Uploading', 'Queued', 'Running', 'Finished', 'Failed', 'Cancelled')),
  failure text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  size bigint NOT NULL DEFAULT 0,  -- octets staged
  -- How far it is: moved by the transaction that applies the rows up to there, so that no row is applied twice.
  position bigint NOT NULL,        -- octets of the file
  line bigint NOT NULL,            -- the number of the line that begins there
  rows_read bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}',  -- the different ones that its rows have named
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),  -- the first of them
  -- Who uploads it (until `lease_until`; nobody may after that) or works on it (then another may go on).
  owner uuid,
  lease_until timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,  -- to go on from `position`
  -- Whether a file's cells that would be formulas have an apostrophe in front: see common/model/csv.hpp. The version before
  -- takes cells as they are.
  guarded bool NOT NULL DEFAULT false,
  -- When a process last took it on, or a batch of its rows was applied; -infinity: never. The version before neither sets
  -- this nor asks for it.
  served_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX import_open ON import (organization_id, id) WHERE status IN ('Uploading', 'Queued', 'Running');
-- When an organization was served last, also by imports that have ended.
CREATE INDEX import_served ON import (organization_id, served_at);

-- The file, in pieces of one size but for the last; gone as far as it was worked off. Not compressed, as it is read once.
CREATE TABLE import_chunk (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  number int NOT NULL,  -- from 0
  octets bytea NOT NULL,
  PRIMARY KEY (organization_id, import_id, number),
  FOREIGN KEY (organization_id, import_id) REFERENCES import ON DELETE CASCADE
);
ALTER TABLE import_chunk ALTER COLUMN octets SET STORAGE EXTERNAL;
