-- write(organization_id uuid, invited_by uuid)
DELETE FROM invite WHERE organization_id = $1 AND invited_by = $2 AND accepted_at IS NULL
