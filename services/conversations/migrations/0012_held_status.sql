-- What a held campaign's status was in the backup: one that its members had paused is not resumed with all others.
-- Null: it is not held, or was before this migration.
ALTER TABLE campaign ADD COLUMN held_status text;
