-- read(floor int8, world text, parked_after timestamptz)
-- The first body, and when the first elements are tried again: that are ready, and that wait for contacts.
SELECT (SELECT id FROM inbox_next(queue_floor('inbox', $1, $2), 1)) AS first, parked_next($3, false) AS ready_at,
  parked_next($3, true) AS awaiting_at, now() AS now
