-- write(organization_id uuid, id uuid)
-- Ends an upload at once; what it left is swept away.
UPDATE import SET lease_until = '-infinity'
WHERE organization_id = $1 AND id = $2 AND status = 'Uploading'
