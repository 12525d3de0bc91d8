-- write(most int4)
SELECT id FROM outbox WHERE position IS NULL ORDER BY id LIMIT $1
