-- Imports of organizations take turns.

-- When a process last took it on, or a batch of its rows was applied; -infinity: never. The version before neither sets
-- this nor asks for it.
ALTER TABLE import ADD COLUMN served_at timestamptz NOT NULL DEFAULT '-infinity';
-- When an organization was served last, also by imports that have ended.
CREATE INDEX import_served ON import (organization_id, served_at);
