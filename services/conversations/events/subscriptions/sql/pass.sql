-- write(organization_id uuid, id uuid, taken_until timestamptz, next_seconds int8)
-- Nothing when there is something new to ask.
UPDATE webhook SET check_due_at = CASE WHEN active THEN now() + $4 * interval '1 second' END
WHERE organization_id = $1 AND id = $2 AND check_due_at = $3
