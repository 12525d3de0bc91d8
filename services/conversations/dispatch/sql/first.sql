-- read(floor int8, world text)
-- Since when the first row behind the floor is Due or Sending: microseconds since 1970.
SELECT (extract(epoch FROM outgoing_first(moment(queue_floor('outgoing', $1, $2)))) * 1000000)::int8
