-- write(organization_id uuid, id uuid)
UPDATE import SET status = 'Queued', lease_until = now()
WHERE organization_id = $1 AND id = $2 AND status = 'Uploading' AND lease_until > now()
RETURNING id
