-- write(organization_id uuid, id uuid, label text)
UPDATE tag SET label = $3 WHERE organization_id = $1 AND id = $2 RETURNING label, id AS "uniqueId"
