-- write(floor int8, world text, most int4, most_octets int8)
SELECT id, organization_id, received_at, body, 0 AS attempts, NULL::text AS awaits
FROM inbox_share(queue_floor('inbox', $1, $2), $3, $4)
ORDER BY id
