-- read(organization_id uuid, ids uuid[], most_octets int8)
-- In the order of the ids, up to the one with which all are longer than that. Those behind it have none.
SELECT id, CASE WHEN coalesce(before, 0) <= $3 THEN data END AS data
FROM (
    SELECT m.id, m.data, w.position,
      sum(octet_length(m.data::text)) OVER (ORDER BY w.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM unnest($2) WITH ORDINALITY AS w (id, position) JOIN message m ON m.organization_id = $1 AND m.id = w.id
  ) m
ORDER BY position
