-- write(organization_id uuid, member_id uuid)
UPDATE credential SET revoked_at = now()
WHERE organization_id = $1 AND member_id = $2 AND is_default AND revoked_at IS NULL
RETURNING id, made_by
