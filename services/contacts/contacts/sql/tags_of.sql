-- read(organization_id uuid, contact_id uuid)
SELECT (SELECT t.label FROM tag t WHERE t.organization_id = $1 AND t.id = x.tag_id) AS label, x.tag_id AS "uniqueId"
FROM contact_tag x
WHERE x.organization_id = $1 AND x.contact_id = $2
ORDER BY x.tag_id
