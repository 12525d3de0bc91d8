-- write(person_id uuid, id uuid)
-- The key that a person came with, whichever organization it is of: it cannot be revoked until the transaction ends.
SELECT c.expires_at
FROM member m
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
  JOIN credential c ON c.organization_id = m.organization_id AND c.member_id = m.id
WHERE m.person_id = $1 AND c.id = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now())
FOR SHARE OF c
