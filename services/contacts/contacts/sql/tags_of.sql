-- read(organization_id uuid, contact_id uuid)
-- A tag that was deleted may still have rows here.
SELECT t.label, t.id AS "uniqueId"
FROM contact_tag x JOIN tag t ON t.organization_id = $1 AND t.id = x.tag_id
WHERE x.organization_id = $1 AND x.contact_id = $2
ORDER BY x.tag_id
