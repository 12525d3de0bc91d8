-- read(after int8, most int4, most_octets int8)
-- As many events as fit, but always one.
SELECT position, changes, created_at AS at
FROM (SELECT position, changes, created_at, sum(octet_length(changes::text)) OVER (ORDER BY position) AS octets,
             row_number() OVER (ORDER BY position) AS ordinal
      FROM (SELECT position, changes, created_at FROM outbox WHERE position > $1 ORDER BY position LIMIT $2) o) o
WHERE octets <= $3 OR ordinal = 1
ORDER BY position
