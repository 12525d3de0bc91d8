-- name: lock_sequencer write()
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox ' || current_schema(), 0))

-- name: page read(after int8, most int4, most_octets int8)
SELECT position, changes, created_at AS at FROM outbox_page($1, $2, $3)

-- name: backlog read(floor int8, world text)
-- Events without a position, for metrics.
SELECT pending, oldest FROM outbox_pending(queue_floor('outbox', $1, $2), 10000)

-- name: look read(floor int8, world text)
-- `first`: the first event without a position.
SELECT epoch, head, pruned, (SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), 1)) AS first FROM feed_now()

-- name: queue_state read(queue text, timed bool, writers bool)
-- The input of QueueFloor. The last assigned id may belong to an open transaction. Times lag five seconds, as the
-- previous version takes the start of the transaction as a row's due time.
SELECT queue_world($1::regclass) AS world,
  CASE WHEN $2 THEN (extract(epoch FROM clock_timestamp() - interval '5 seconds') * 1000000)::int8
       ELSE coalesce(pg_sequence_last_value(pg_get_serial_sequence($1, 'id')::regclass), 0) END AS last,
  CASE WHEN $3 THEN queue_writers($1::regclass) ELSE '{}' END AS writers

-- name: begin_snapshot write()
-- Must be the first statement of its transaction.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY

-- name: prepare_snapshot write()
-- Takes the snapshot. The reader may be slow with each piece, and walks must use the key's index whatever the table's
-- statistics.
WITH settings AS MATERIALIZED (
  SELECT set_config('idle_in_transaction_session_timeout', '60s', true), set_config('enable_seqscan', 'off', true),
         set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
         set_config('enable_incremental_sort', 'off', true)
)
SELECT now() FROM settings

-- name: prune write(retention_seconds int8, least_seconds int8, most int4)
SELECT pruned, events FROM outbox_prune($1, $2, $3)

-- name: sequence write(floor int8, world text, most int4)
-- Only in a transaction that holds the lock, after the statement that took it: the snapshot must not be older than the
-- lock.
WITH fresh AS MATERIALIZED (SELECT ARRAY(SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), $3)) AS ids)
SELECT outbox_place(ids) AS head, cardinality(ids)::int8 AS given FROM fresh WHERE cardinality(ids) > 0

-- name: sequence_these write(ids int8[])
-- Sequences the events that a snapshot sees; the transaction must have held the lock since before the snapshot.
SELECT outbox_place($1) AS head

-- name: unsequenced write(floor int8, world text, most int4)
SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), $3)

-- name: append write(changes jsonb)
INSERT INTO outbox (changes) VALUES ($1)

-- name: register_consumers write(names text[])
INSERT INTO feed_consumer (name) SELECT name FROM unnest($1) name ORDER BY name ON CONFLICT DO NOTHING

-- name: acknowledge write(name text, position int8, epoch uuid)
UPDATE feed_consumer c SET acknowledged = $2, seen_at = now()
FROM feed_now() feed
WHERE c.name = $1 AND c.acknowledged < $2 AND feed.epoch = $3 AND $2 <= feed.head

-- name: begin_epoch write()
-- Positions assigned after the backup are assigned again to other events, so acknowledgements of them are void.
WITH begun AS (UPDATE feed SET epoch = gen_random_uuid() RETURNING pruned)
UPDATE feed_consumer SET acknowledged = begun.pruned FROM begun

-- name: forget_consumers write(names text[])
DELETE FROM feed_consumer WHERE name <> ALL ($1)
