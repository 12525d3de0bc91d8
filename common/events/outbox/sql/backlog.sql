-- read(floor int8, world text)
-- What has no position yet, for metrics.
SELECT pending, oldest FROM outbox_pending(queue_floor('outbox', $1, $2), 10000)
