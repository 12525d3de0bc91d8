-- write(organization_id uuid, id uuid, owner uuid, position int8, status text, failure text)
UPDATE import SET status = $5, failure = $6, finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND position = $4 AND status = 'Running'
