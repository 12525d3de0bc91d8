-- write(organization_id uuid, ids uuid[])
-- In the order of phones, as all who change several.
SELECT id FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY phone, id
FOR NO KEY UPDATE
