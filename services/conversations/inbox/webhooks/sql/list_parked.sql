-- slow(most int8)
SELECT id::text, field || ' ' || kind AS about, error, parked_at AS at, count(*) OVER () AS total
FROM parked_element
WHERE due_at IS NULL
ORDER BY id LIMIT $1
