-- read(organization_id uuid, search text, after_id uuid, after_name text, per_page int8, skip int8)
SELECT r.id, r.name, r.description, r.permissions
FROM role r
WHERE r.organization_id = $1
/*if by_search*/ AND strpos(lower(r.name), lower($2)) > 0 /*end*/
/*if by_name*/
  /*if after*/ AND (lower(r.name), r.id) /*if descending*/ < /*else*/ > /*end*/ (lower($4), $3) /*end*/
  /*if descending*/ ORDER BY lower(r.name) DESC, r.id DESC /*else*/ ORDER BY lower(r.name), r.id /*end*/
/*else*/
  /*if after*/ /*if descending*/ AND r.id < $3 /*else*/ AND r.id > $3 /*end*/ /*end*/
  /*if descending*/ ORDER BY r.id DESC /*else*/ ORDER BY r.id /*end*/
/*end*/
LIMIT $5 OFFSET $6
