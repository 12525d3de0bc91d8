-- read(organization_id uuid, search text, tag_id uuid, tag_label text, after uuid, after_text text, per_page int8, skip int8)
-- The constant inner LIMIT is the longest page: the planner takes an unknown LIMIT for a tenth of the table.
SELECT /*include columns*/
FROM (
  SELECT l.*
  FROM list l
    /*if by_contacts*/
    CROSS JOIN LATERAL (
      SELECT sum(y.contacts)::int8 AS contacts FROM tally y WHERE y.organization_id = $1 AND y.list_id = l.id) s
    /*end*/
  WHERE /*include matching*/
  /*if by_name*/
    /*if after*/ AND (lower(l.name), l.id) /*if descending*/ < /*else*/ > /*end*/ (lower($6), $5) /*end*/
    ORDER BY lower(l.name) /*if descending*/ DESC /*end*/, l.id /*if descending*/ DESC /*end*/
  /*else*/ /*if by_contacts*/
    /*if after*/ AND (coalesce(s.contacts, 0), l.id) /*if descending*/ < /*else*/ > /*end*/ ($6::int8, $5) /*end*/
    ORDER BY coalesce(s.contacts, 0) /*if descending*/ DESC /*end*/, l.id /*if descending*/ DESC /*end*/
  /*else*/
    /*if after*/ AND l.id /*if descending*/ < /*else*/ > /*end*/ $5 /*end*/
    ORDER BY l.id /*if descending*/ DESC /*end*/
  /*end*/ /*end*/
  LIMIT 100 /*if skip*/ OFFSET $8 /*end*/
) l
LIMIT $7
