-- write(organization_id uuid, id uuid, owner uuid)
-- Given back, for another to go on at once.
UPDATE import SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'
