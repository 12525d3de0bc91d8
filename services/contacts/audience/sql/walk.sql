-- read(organization_id uuid, list_ids uuid[], after uuid, most int8, excluded_list_ids uuid[])
-- The next distinct members of the lists, sorted by id, from $4 rows per list; if a list has more, up to `edge`, where
-- the first such list stopped. So the cost is independent of the depth, and no list is sorted. `walked` includes
-- excluded members. Joins `list` because deleted lists may still have memberships.
WITH read AS MATERIALIZED (
  SELECT m.contact_id, m.place
  FROM list l
  CROSS JOIN LATERAL (
    SELECT x.contact_id, row_number() OVER (ORDER BY x.contact_id) AS place
    FROM membership x
    WHERE x.organization_id = $1 AND x.list_id = l.id AND x.contact_id > $3
    ORDER BY x.contact_id LIMIT $4) m
  WHERE l.organization_id = $1 AND l.id = ANY ($2)
), edge AS MATERIALIZED (
  SELECT contact_id FROM read WHERE place = $4 ORDER BY contact_id LIMIT 1
), near AS MATERIALIZED (
  SELECT DISTINCT contact_id FROM read
  WHERE contact_id <= coalesce((SELECT contact_id FROM edge), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
)
SELECT (SELECT count(*) FROM near) AS walked, (SELECT contact_id FROM edge) AS edge,
  ARRAY(SELECT n.contact_id FROM near n
        /*if excluding*/
        WHERE NOT EXISTS (
          SELECT FROM membership x
          WHERE x.organization_id = $1 AND x.contact_id = n.contact_id
            AND x.list_id = ANY (ARRAY(SELECT l.id FROM list l WHERE l.organization_id = $1 AND l.id = ANY ($5)))
          OFFSET 0)  -- one by one: as a join, a stale plan would read whole lists for each row
        /*end*/
        ORDER BY n.contact_id) AS contact_ids
