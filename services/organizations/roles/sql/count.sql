-- read(organization_id uuid, search text)
SELECT count(*)
FROM role r
WHERE r.organization_id = $1
/*if by_search*/ AND strpos(lower(r.name), lower($2)) > 0 /*end*/
