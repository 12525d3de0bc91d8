-- write()
-- Positions that were given after a backup are given again, to other events: what was acknowledged of them counts no more.
WITH begun AS (UPDATE feed SET epoch = gen_random_uuid() RETURNING pruned)
UPDATE feed_consumer SET acknowledged = begun.pruned FROM begun
