-- read(key_organization_id uuid, credential_id uuid, organization_id uuid)
-- `holder` is the key's member; `m` is the same person's membership in the organization to act in.
SELECT c.secret_hash, c.last_used_at IS NULL OR c.last_used_at < now() - interval '1 minute' AS use_is_due,
  (extract(epoch FROM c.expires_at - now()) * 1000)::int8 AS milliseconds,
  holder.id AS holder_id, holder.person_id, m.id AS member_id, m.access_level,
  coalesce((SELECT bit_or(r.permissions)
            FROM member_role x JOIN role r ON r.organization_id = x.organization_id AND r.id = x.role_id
            WHERE x.organization_id = $3 AND x.member_id = m.id), 0) AS permissions,
  -- Whoever makes a key elsewhere, where nothing is required, does not come in by it.
  coalesce(m.id IS NOT NULL AND $3 <> $1 AND there.requires_second_factor AND p.second_factor_at IS NULL, false)
    AS lacks_second_factor
FROM credential c
  JOIN organization home ON home.organization_id = c.organization_id AND home.deleted_at IS NULL
  JOIN member holder ON holder.organization_id = c.organization_id AND holder.id = c.member_id
  JOIN person p ON p.id = holder.person_id
  LEFT JOIN organization there ON there.organization_id = $3 AND there.deleted_at IS NULL
  LEFT JOIN member m ON m.organization_id = there.organization_id AND m.person_id = holder.person_id
WHERE c.organization_id = $1 AND c.id = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
