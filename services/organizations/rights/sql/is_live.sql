-- write(person_id uuid, credential_id uuid)
-- A session, or a key of whatever organization.
SELECT EXISTS (SELECT FROM session WHERE id = $2 AND person_id = $1 AND expires_at > now())
  OR EXISTS (
    SELECT FROM member m JOIN credential c ON c.organization_id = m.organization_id AND c.member_id = m.id
    WHERE m.person_id = $1 AND c.id = $2 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()))
