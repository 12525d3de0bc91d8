-- write(organization_id uuid, id uuid)
UPDATE credential SET revoked_at = now() WHERE organization_id = $1 AND id = $2
