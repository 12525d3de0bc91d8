-- write(floor int8, world text, most int4)
SELECT * FROM outbox_new(queue_floor('outbox', $1, $2), $3)
