-- write(kinds text[], after timestamptz, most int4)
SELECT id, organization_id, received_at, element AS body, attempts, awaits
FROM parked_share($1, $2, $3)
ORDER BY due_at, id
