-- read(floor int8, world text, parked_after timestamptz, kinds text[], all_kinds text[])
-- Whether there is a body that nobody asks about, the first body of all, and when the first elements are tried again:
-- of those kinds, and of all.
SELECT inbox_has_free(queue_floor('inbox', $1, $2)) AS has_free,
  (SELECT id FROM inbox_next(queue_floor('inbox', $1, $2), 1)) AS first,
  (SELECT due_at FROM parked_next($4, $3)) AS ready_at,
  (SELECT due_at FROM parked_next($5, $3)) AS due_at, now() AS now
