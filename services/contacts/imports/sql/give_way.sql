-- write(organization_id uuid, id uuid, owner uuid)
-- As release, if an import of another organization waits: found in the order of the index of those that have not ended, as the
-- planner would otherwise look through all there were.
UPDATE import SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'
  AND (SELECT i.id FROM import i
       WHERE i.organization_id <> $1 AND /*include due*/
       ORDER BY i.organization_id, i.id LIMIT 1) IS NOT NULL
