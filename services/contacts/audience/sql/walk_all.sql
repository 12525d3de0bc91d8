-- slow(organization_id uuid, after uuid, most int8, excluded_list_ids uuid[], segment text[])
-- Those of the next $3 contacts, sorted by id, that a segment has; if there are more, up to `edge`. So the cost of a step does
-- not depend on the segment. `walked` includes excluded members.
WITH found AS MATERIALIZED (
  SELECT c.id
  FROM (SELECT * FROM contact WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3) c
  WHERE true /*segment step $5*/
)
SELECT (SELECT count(*) FROM found) AS walked,
  (SELECT id FROM contact WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3 - 1) AS edge,
  ARRAY(SELECT n.id FROM found n
        /*if excluding*/
        WHERE NOT EXISTS (
          SELECT FROM membership x
          WHERE x.organization_id = $1 AND x.contact_id = n.id
            AND x.list_id = ANY (ARRAY(SELECT l.id FROM list l WHERE l.organization_id = $1 AND l.id = ANY ($4)))
          OFFSET 0)  -- one by one: as a join, a stale plan would read whole lists for each row
        /*end*/
        ORDER BY n.id) AS contact_ids
