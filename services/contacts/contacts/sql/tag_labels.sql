-- read(organization_id uuid, ids uuid[])
-- The subquery hides the number of ids from the planner, which would otherwise plan anew each time it is small.
SELECT label, id AS "uniqueId"
FROM tag
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
