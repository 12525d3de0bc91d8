-- read(organization_id uuid, ids uuid[])
-- The subquery hides the number of ids from the planner, which would otherwise plan anew each time it is small.
SELECT id AS "uniqueId", name, coalesce(phone, '') AS phone, attributes, created_at AS "createdAt", status
FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
