-- Events that were set aside are tried again at an operator's word.

-- When an event that was set aside is tried again while the process runs; null: when it starts, or an operator says so.
ALTER TABLE parked_event ADD COLUMN due_at timestamptz;
