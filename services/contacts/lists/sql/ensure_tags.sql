-- write(organization_id uuid, ids uuid[], labels text[])
-- Sorted, so that no two writers wait for each other. The update that changes nothing makes the rows come back that were
-- there, or that another transaction made meanwhile.
INSERT INTO tag (organization_id, id, label)
SELECT DISTINCT ON (lower(new.label)) $1, new.id, new.label
FROM unnest($2, $3) AS new(id, label)
ORDER BY lower(new.label)
ON CONFLICT (organization_id, lower(label)) DO UPDATE SET label = tag.label
RETURNING id
