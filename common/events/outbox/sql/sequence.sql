-- write(floor int8, world text, most int4)
-- Only in a transaction that holds the lock, and after the statement that took it: its snapshot must not be older.
WITH fresh AS MATERIALIZED (SELECT ARRAY(SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), $3)) AS ids)
SELECT outbox_place(ids) AS head, cardinality(ids)::int8 AS given FROM fresh WHERE cardinality(ids) > 0
