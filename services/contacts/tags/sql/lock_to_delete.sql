-- write(organization_id uuid, id uuid)
-- Waits for those who give the tag to something.
SELECT label, id AS "uniqueId", version::text FROM tag WHERE organization_id = $1 AND id = $2 FOR UPDATE
