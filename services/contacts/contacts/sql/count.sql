-- slow(organization_id uuid, list_id uuid, search text, status text)
SELECT
  (SELECT coalesce(sum(changes), 0)::int8 FROM tally
   WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000') AS version,
  (SELECT count(*)
   FROM contact c
   /*if by_list*/ JOIN membership m ON m.organization_id = $1 AND m.list_id = $2 AND m.contact_id = c.id /*end*/
   WHERE c.organization_id = $1
   /*if by_search*/ AND c.search LIKE '%' || replace(replace(replace(fold($3), '\', '\\'), '%', '\%'), '_', '\_') || '%' /*end*/
   /*if by_status*/ AND c.status = $4 /*end*/) AS count
