-- write(organization_id uuid, member_id uuid)
SELECT count(*) AS live
FROM credential
WHERE organization_id = $1 AND member_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
