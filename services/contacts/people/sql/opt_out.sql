-- write(organization_id uuid, id uuid, at timestamptz)
-- Heard, though a status that says more stays: no older word of either side may hold any more.
UPDATE contact SET status = CASE WHEN status IN ('Active', 'Inactive') THEN 'OptedOut' ELSE status END, status_at = $3
WHERE organization_id = $1 AND id = $2 AND status_at <= $3
