-- write(organization_id uuid, label text)
SELECT label, id AS "uniqueId" FROM tag WHERE organization_id = $1 AND lower(label) = lower($2)
