-- write(names text[])
INSERT INTO feed_consumer (name) SELECT name FROM unnest($1) name ORDER BY name ON CONFLICT DO NOTHING
