-- read(organization_id uuid, id uuid)
SELECT label, id AS "uniqueId" FROM tag WHERE organization_id = $1 AND id = $2
