-- read(organization_id uuid, ids uuid[])
-- In the order of the ids.
SELECT /*include message*/, /*include short_data*/ AS "messageData", /*include position*/
FROM unnest($2) WITH ORDINALITY AS w (id, n) JOIN message m ON m.organization_id = $1 AND m.id = w.id
ORDER BY w.n
