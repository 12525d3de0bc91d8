-- read(organization_id uuid, search text, after uuid, after_name text, per_page int8, skip int8)
SELECT /*include columns*/
FROM segment
WHERE /*include matching*/
/*if by_name*/
  /*if after*/ AND lower(name) /*if descending*/ < /*else*/ > /*end*/ lower($4) /*end*/
ORDER BY lower(name) /*if descending*/ DESC /*end*/
/*else*/
  /*if after*/ AND id /*if descending*/ < /*else*/ > /*end*/ $3 /*end*/
ORDER BY id /*if descending*/ DESC /*end*/
/*end*/
LIMIT $5 OFFSET $6
