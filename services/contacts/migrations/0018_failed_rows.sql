-- The rows of imports that failed, so that they can be had as a file: in chunks, of which a batch makes some.
ALTER TABLE import
  ADD COLUMN failed_kept bigint NOT NULL DEFAULT 0,    -- of the `failed` ones
  ADD COLUMN failed_octets bigint NOT NULL DEFAULT 0;  -- that these take, about
CREATE TABLE import_failed (
  organization_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line bigint NOT NULL,  -- of the first of them
  rows text NOT NULL,    -- JSON: imports::FailedRow, by their lines
  PRIMARY KEY (organization_id, import_id, line),
  FOREIGN KEY (organization_id, import_id) REFERENCES import ON DELETE CASCADE
);
CREATE INDEX import_failed_kept ON import (organization_id, id) INCLUDE (finished_at, failed_octets) WHERE failed_kept > 0;
