-- write(makers uuid[])
-- Of any organization: a key acts in all that its person is a member of.
UPDATE credential SET revoked_at = now()
WHERE made_by = ANY ($1) AND revoked_at IS NULL
RETURNING organization_id, id, name
