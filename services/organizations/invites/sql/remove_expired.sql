-- write(organization_id uuid, email text)
-- One that has expired makes room for another.
DELETE FROM invite
WHERE organization_id = $1 AND lower(email) = lower($2) AND accepted_at IS NULL AND expires_at <= now()
