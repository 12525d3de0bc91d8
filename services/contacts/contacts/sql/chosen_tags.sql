-- read(organization_id uuid, ids uuid[])
SELECT t.label, t.id AS "uniqueId"
FROM tag t
WHERE t.organization_id = $1
  AND t.id IN (SELECT x.tag_id FROM contact_tag x
               WHERE x.organization_id = $1 AND x.contact_id = ANY (/*include chosen*/))
