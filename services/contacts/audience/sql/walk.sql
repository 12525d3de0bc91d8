-- read(organization_id uuid, list_ids uuid[], after uuid, most int8, excluded_list_ids uuid[])
-- The next members of lists, each once, in the order of their ids. $4 of each list are read: where one has more than that,
-- all go only as far as this list was read, to `edge`. So a step costs the same however deep it is, and none of the lists
-- has to be sorted. `walked` counts those of excluded lists too. A list that was deleted may still have rows here.
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
          OFFSET 0)  -- one by one: joined, a plan made while lists were short would read all of them for each
        /*end*/
        ORDER BY n.contact_id) AS contact_ids
