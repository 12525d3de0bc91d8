-- read(queue text, timed bool, writers bool)
-- What QueueFloor learns from. The last id given, though perhaps in a transaction that is not over. Times are held back, as by
-- the version before a row is due since its transaction began.
SELECT queue_world($1::regclass) AS world,
  CASE WHEN $2 THEN (extract(epoch FROM clock_timestamp() - interval '5 seconds') * 1000000)::int8
       ELSE coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass), 0) END AS last,
  CASE WHEN $3 THEN queue_writers($1::regclass) ELSE '{}' END AS writers
