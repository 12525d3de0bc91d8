-- read(organization_id uuid, id uuid)
SELECT c.id, c.name, c.created_at, c.expires_at, c.last_used_at, c.is_default, c.member_id, m.access_level,
  c.version::text
FROM credential c JOIN member m ON m.organization_id = c.organization_id AND m.id = c.member_id
WHERE c.organization_id = $1 AND c.id = $2 AND c.revoked_at IS NULL
