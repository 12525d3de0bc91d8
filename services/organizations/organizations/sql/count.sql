-- read(person_id uuid, search text)
SELECT count(*)
FROM member m JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
WHERE m.person_id = $1
/*if by_search*/ AND strpos(lower(o.name), lower($2)) > 0 /*end*/
