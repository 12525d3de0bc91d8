-- write()
UPDATE webhook SET check_due_at = now() WHERE active AND answerable_id IS NOT NULL
