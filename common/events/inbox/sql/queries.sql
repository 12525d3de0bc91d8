-- name: find_cursor read(producer text)
SELECT epoch, position FROM feed_cursor WHERE producer = $1

-- name: count_parked read(producer text)
SELECT count(*) AS parked, count(*) FILTER (WHERE due_at <= now()) AS due FROM parked_event WHERE producer = $1

-- name: hold_cursor write(producer text, epoch uuid, position int8)
SELECT FROM feed_cursor
WHERE producer = $1 AND epoch IS NOT DISTINCT FROM $2 AND position = $3
FOR UPDATE SKIP LOCKED

-- name: list_parked slow(most int8)
SELECT producer || '/' || position AS id, jsonb_path_query_array(changes, 'lax $[*].type')::text AS about, error,
  parked_at AS at, count(*) OVER () AS total
FROM parked_event
ORDER BY producer, position LIMIT $1

-- name: take_parked write(producer text, after int8)
SELECT epoch, position, changes FROM parked_event
WHERE producer = $1 AND position > $2 /*if due*/ AND due_at <= now() /*end*/
ORDER BY position LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: allow_rest write()
-- Longer than the producer may take for one piece of a snapshot.
SELECT set_config('idle_in_transaction_session_timeout', '90s', true)

-- name: make_cursor write(producer text)
INSERT INTO feed_cursor (producer) VALUES ($1) ON CONFLICT DO NOTHING

-- name: park write(producer text, epoch uuid, position int8, changes jsonb, error text)
INSERT INTO parked_event (producer, epoch, position, changes, error) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING

-- name: let_go write(own text)
-- Sets a nonexistent epoch and a position beyond everything pruned: each feed is read from its current beginning, or
-- from a snapshot. The service's own feed was restored with its cursor.
UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000', position = 9223372036854775807
WHERE producer <> $1

-- name: move_cursor write(producer text, epoch uuid, old_position int8, new_epoch uuid, new_position int8)
UPDATE feed_cursor SET epoch = $4, position = $5
WHERE producer = $1 AND epoch IS NOT DISTINCT FROM $2 AND position = $3

-- name: park_again write(producer text, epoch uuid, position int8, error text)
UPDATE parked_event SET error = $4, due_at = NULL WHERE producer = $1 AND epoch = $2 AND position = $3

-- name: replay_parked write(id text, most int8)
UPDATE parked_event p SET due_at = now()
FROM (SELECT producer, epoch, position FROM parked_event
      WHERE CASE WHEN $1 IS NULL THEN due_at IS NULL ELSE producer || '/' || position = $1 END
      ORDER BY producer, epoch, position LIMIT $2
      FOR UPDATE) w
WHERE p.producer = w.producer AND p.epoch = w.epoch AND p.position = w.position

-- name: void_cursors write(producers text[])
-- Sets a nonexistent epoch, so that the consumer starts over.
UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000' WHERE producer = ANY ($1)

-- name: clear_parked write(producer text)
DELETE FROM parked_event WHERE producer = $1

-- name: unpark write(producer text, epoch uuid, position int8)
DELETE FROM parked_event WHERE producer = $1 AND epoch = $2 AND position = $3
