-- write(changes jsonb)
INSERT INTO outbox (changes) VALUES ($1)
