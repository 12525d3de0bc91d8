-- write(names text[])
DELETE FROM feed_consumer WHERE name <> ALL ($1)
