-- write(organization_id uuid, id uuid, at timestamptz)
-- As opt_out.
UPDATE contact SET status = CASE WHEN status = 'OptedOut' THEN 'Active' ELSE status END, status_at = $3
WHERE organization_id = $1 AND id = $2 AND status_at <= $3
