-- read(organization_id uuid, search text, after uuid, after_label text, per_page int8, skip int8)
-- The constant inner LIMIT is the longest page: the planner takes an unknown LIMIT for a tenth of the table.
SELECT *
FROM (
  SELECT label, id AS "uniqueId"
  FROM tag
  WHERE /*include matching*/
  /*if by_label*/
    /*if after*/ AND lower(label) /*if descending*/ < /*else*/ > /*end*/ lower($4) /*end*/
    ORDER BY lower(label) /*if descending*/ DESC /*end*/
  /*else*/
    /*if after*/ AND id /*if descending*/ < /*else*/ > /*end*/ $3 /*end*/
    ORDER BY id /*if descending*/ DESC /*end*/
  /*end*/
  LIMIT 100 /*if skip*/ OFFSET $6 /*end*/
) page
LIMIT $5
