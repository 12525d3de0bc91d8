-- read(organization_id uuid, status text)
SELECT count(*)
FROM import
WHERE organization_id = $1 AND (status <> 'Uploading' OR lease_until > now())
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/
