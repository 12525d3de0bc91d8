-- read(organization_id uuid, status text, after uuid, per_page int8, skip int8)
SELECT /*include answer*/
FROM import
WHERE organization_id = $1 AND (status <> 'Uploading' OR lease_until > now())
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/
  /*if after*/ /*if descending*/ AND id < $3 /*else*/ AND id > $3 /*end*/ /*else*/ AND $3::uuid IS NULL /*end*/
ORDER BY id /*if descending*/ DESC /*end*/
LIMIT $4 OFFSET $5
