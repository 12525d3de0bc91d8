-- write(person_id uuid, address text, request_id text)
-- All keys of a person, in whatever organization, and what the audits there say of it.
WITH ended AS (
  UPDATE credential c SET revoked_at = now()
  FROM member m
  WHERE m.person_id = $1 AND c.organization_id = m.organization_id AND c.member_id = m.id AND c.revoked_at IS NULL
  RETURNING c.organization_id, c.id, c.name
)
INSERT INTO audit (organization_id, id, action, member_email, credential_id, subject_id, subject, address, request_id)
SELECT organization_id, gen_random_uuid(), 'ApiKeyDeleted', '', '', id, name, $2, $3
FROM ended
