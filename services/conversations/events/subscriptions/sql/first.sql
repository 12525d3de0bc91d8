-- read(floor int8, world text)
-- When the first delivery behind the floor is due: microseconds since 1970.
SELECT (extract(epoch FROM deliveries_first(moment(queue_floor('webhook_delivery', $1, $2)))) * 1000000)::int8
