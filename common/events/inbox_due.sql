-- Of the inbox too, and later: a service that follows a feed copies this into a migration behind it.
-- When an event that was set aside is tried again while the process runs; null: when it starts, or an operator says so.
ALTER TABLE parked_event ADD COLUMN due_at timestamptz;
