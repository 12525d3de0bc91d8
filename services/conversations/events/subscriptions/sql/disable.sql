-- write(organization_id uuid, id uuid, taken_until timestamptz)
-- Nothing when there is something new to ask.
UPDATE webhook SET active = false, disabled_at = now(), disabled_reason = 'Permission', check_due_at = NULL
WHERE organization_id = $1 AND id = $2 AND check_due_at = $3 AND active
