-- write(organization_id uuid, ids uuid[])
SELECT label, id AS "uniqueId" FROM tag WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
