-- Imports of contacts: the file is staged in chunks as it arrives; the process that holds the lease then applies it.

CREATE TABLE import (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  list_id uuid,           -- the list that the contacts join; it may be deleted meanwhile
  on_conflict text NOT NULL CHECK (on_conflict IN ('skip', 'update')),
  country text NOT NULL,  -- of national phone numbers; '': none
  delimiter text NOT NULL,
  headers text[] NOT NULL,
  targets text[] NOT NULL,  -- the meaning of each column: name, phone, tags, attributes.KEY, -
  status text NOT NULL DEFAULT 'Uploading'
    CHECK (status IN ('Uploading', 'Queued', 'Running', 'Finished', 'Failed', 'Cancelled')),
  failure text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  size bigint NOT NULL DEFAULT 0,  -- octets staged
  -- Progress: advanced by the transaction that applies the rows, so that no row is applied twice.
  position bigint NOT NULL,        -- octets of the file
  line bigint NOT NULL,            -- the number of the line at `position`
  rows_read bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}',  -- the distinct tags that its rows named
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),  -- the first ones
  -- The process that uploads it (nobody else may after `lease_until`) or applies it (then another may continue).
  owner uuid,
  lease_until timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,  -- to continue from `position`
  -- Whether cells that a spreadsheet takes for formulas begin with an apostrophe: see common/model/csv.hpp.
  guarded bool NOT NULL DEFAULT false,
  -- When a process last took it, or applied a batch of its rows; -infinity: never.
  served_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX import_open ON import (organization_id, id) WHERE status IN ('Uploading', 'Queued', 'Running');
-- When an organization was served last, including imports that have ended.
CREATE INDEX import_served ON import (organization_id, served_at);

-- The file, in pieces of one size but for the last; deleted as it is applied. Not compressed, as it is read once.
CREATE TABLE import_chunk (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  number int NOT NULL,  -- from 0
  octets bytea NOT NULL,
  PRIMARY KEY (organization_id, import_id, number),
  FOREIGN KEY (organization_id, import_id) REFERENCES import ON DELETE CASCADE
);
ALTER TABLE import_chunk ALTER COLUMN octets SET STORAGE EXTERNAL;
