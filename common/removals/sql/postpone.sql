-- write(organization_id uuid, kind text, id uuid, seconds int8)
UPDATE removal SET due_at = clock_timestamp() + make_interval(secs => $4)
WHERE organization_id = $1 AND kind = $2 AND id = $3
