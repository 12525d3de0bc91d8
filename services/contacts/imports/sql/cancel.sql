-- write(organization_id uuid, id uuid)
-- Waits for the batch under way.
UPDATE import SET status = 'Cancelled', finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2
  AND (status IN ('Queued', 'Running') OR (status = 'Uploading' AND lease_until > now()))
