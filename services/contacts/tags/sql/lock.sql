-- write(organization_id uuid, id uuid)
SELECT label, id AS "uniqueId", version::text FROM tag WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE
