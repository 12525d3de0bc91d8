-- write(ids int8[])
-- Of those that were taken before, what nobody else has or has done with.
SELECT id FROM inbox WHERE id = ANY ($1) FOR UPDATE SKIP LOCKED
