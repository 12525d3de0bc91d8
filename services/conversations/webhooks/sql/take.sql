-- write(most int4, most_octets int8)
-- The oldest that nobody has, as many as fit, but always one.
WITH free AS MATERIALIZED (
  SELECT id, octet_length(body) AS octets FROM inbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
), picked AS (
  SELECT id FROM (SELECT id, sum(octets) OVER (ORDER BY id) AS octets, row_number() OVER (ORDER BY id) AS ordinal FROM free) f
  WHERE octets <= $2 OR ordinal = 1
)
SELECT id, organization_id, received_at, body, 0 AS attempts
FROM inbox JOIN picked USING (id)
ORDER BY id
