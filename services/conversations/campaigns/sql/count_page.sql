-- read(organization_id uuid, search text, status text, list_id uuid, tag text)
SELECT count(*) FROM campaign c
WHERE c.organization_id = $1 AND c.deleted_at IS NULL
  /*include filters*/
