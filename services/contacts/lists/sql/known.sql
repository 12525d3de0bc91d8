-- read(organization_id uuid, ids uuid[])
SELECT id FROM list WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
