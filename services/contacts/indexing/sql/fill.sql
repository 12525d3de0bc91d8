-- write(organization_id uuid, id uuid, name text, kind text, position uuid, most int8)
-- Fills in the values of the next contacts; `position` is the last of them, NULL if there is none. Waits for no writer: it
-- ends before the first contact that one has locked. Those that it locked are not written meanwhile, and what others wrote of
-- them before is there already.
WITH next AS MATERIALIZED (
  SELECT id FROM contact WHERE organization_id = $1 AND id > $5 ORDER BY id LIMIT $6
), held AS MATERIALIZED (
  SELECT id, attributes -> $3 AS value FROM contact
  WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM next))
  FOR SHARE SKIP LOCKED
), ready AS MATERIALIZED (
  SELECT n.id, h.value, bool_and(h.id IS NOT NULL) OVER (ORDER BY n.id) AS is_held
  FROM next n LEFT JOIN held h ON h.id = n.id
), filled AS (
  INSERT INTO attribute_value (organization_id, attribute_id, contact_id, number, words)
  SELECT $1, $2, r.id, v.number, v.words
  FROM ready r CROSS JOIN LATERAL attribute_reading(r.value, $4) v
  WHERE r.is_held
  ORDER BY r.id
  ON CONFLICT DO NOTHING
)
SELECT (SELECT id FROM ready WHERE is_held ORDER BY id DESC LIMIT 1) AS position,
  (SELECT count(*) FROM ready WHERE is_held) AS contacts,
  (SELECT count(*) < $6 AND coalesce(bool_and(is_held), true) FROM ready) AS is_over
