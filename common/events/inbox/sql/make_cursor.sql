-- write(producer text)
INSERT INTO feed_cursor (producer) VALUES ($1) ON CONFLICT DO NOTHING
