-- read(organization_id uuid, member_id uuid, search text, after_id uuid, after_name text, per_page int8, skip int8)
-- Ids are made in the order of creation.
SELECT c.id, c.name, c.created_at, c.expires_at, c.last_used_at, c.is_default
/*include matching*/
/*if by_name*/
  /*if after*/ AND (lower(c.name), c.id) /*if descending*/ < /*else*/ > /*end*/ (lower($5), $4) /*end*/
  /*if descending*/ ORDER BY lower(c.name) DESC, c.id DESC /*else*/ ORDER BY lower(c.name), c.id /*end*/
/*else*/
  /*if after*/ AND c.id /*if descending*/ < /*else*/ > /*end*/ $4 /*end*/
  /*if descending*/ ORDER BY c.id DESC /*else*/ ORDER BY c.id /*end*/
/*end*/
LIMIT $6 OFFSET $7
