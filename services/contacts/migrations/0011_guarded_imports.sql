-- Whether a file's cells that would be formulas have an apostrophe in front: see common/model/csv.hpp. The version before
-- takes cells as they are.
ALTER TABLE import ADD COLUMN guarded bool NOT NULL DEFAULT false;
