-- write(organization_id uuid, ids uuid[], labels text[])
-- Sorted, so that no two writers wait for each other in a circle. A row that another transaction made meanwhile is locked
-- by the update that changes nothing.
INSERT INTO tag (organization_id, id, label)
SELECT DISTINCT ON (lower(new.label)) $1, new.id, new.label
FROM unnest($2, $3) AS new(id, label)
ORDER BY lower(new.label)
ON CONFLICT (organization_id, lower(label)) DO UPDATE SET label = tag.label
