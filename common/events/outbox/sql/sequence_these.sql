-- write(ids int8[])
-- As sequence, of what a snapshot sees: in a transaction that has held the lock since before it was taken.
SELECT outbox_place($1) AS head
