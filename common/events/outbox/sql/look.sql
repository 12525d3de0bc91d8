-- read(floor int8, world text)
-- `first`: the first event without a position.
SELECT epoch, head, pruned, (SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), 1)) AS first FROM feed_now()
