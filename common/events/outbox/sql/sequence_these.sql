-- write(ids int8[])
-- As sequence, of what a snapshot sees: in a transaction that has held the lock since before it was taken.
WITH moved AS (
  UPDATE feed SET head = head + cardinality($1) RETURNING head - cardinality($1) AS head
), given AS (
  UPDATE outbox o SET position = moved.head + n.place
  FROM moved, unnest($1) WITH ORDINALITY AS n (id, place)
  WHERE o.id = n.id
)
SELECT head FROM moved
