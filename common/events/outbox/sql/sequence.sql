-- write(most int4)
-- Only in a transaction that holds the lock, and after the statement that took it: its snapshot must not be older.
WITH fresh AS MATERIALIZED (
  SELECT id, row_number() OVER (ORDER BY id) AS ordinal
  FROM (SELECT id FROM outbox WHERE position IS NULL ORDER BY id LIMIT $1) o
), moved AS (
  UPDATE feed SET head = head + n FROM (SELECT count(*) AS n FROM fresh) f WHERE n > 0 RETURNING head, n
), given AS (
  UPDATE outbox o SET position = moved.head - moved.n + fresh.ordinal FROM fresh, moved WHERE o.id = fresh.id
)
SELECT head, n AS given FROM moved
