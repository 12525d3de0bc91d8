-- write(organization_id uuid, id uuid)
SELECT id FROM credential WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL FOR UPDATE
