-- write(ids int8[])
DELETE FROM inbox WHERE id = ANY ($1)
