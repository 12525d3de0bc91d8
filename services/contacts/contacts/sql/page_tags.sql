-- read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
SELECT t.label, t.id AS "uniqueId"
FROM tag t
WHERE t.organization_id = $1
  AND t.id IN (SELECT x.tag_id
               FROM contact_tag x
               WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
        SELECT id FROM (SELECT c.id /*include next*/) page LIMIT $7)))
