-- write()
-- Since about when this transaction began: what was deleted earlier was not written again.
SELECT id FROM removal WHERE kind = 'organization' AND started_at > now() - interval '1 minute' ORDER BY id
