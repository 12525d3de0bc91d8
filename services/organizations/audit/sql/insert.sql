-- write(organization_id uuid, id uuid, action text, member_id uuid, credential_id text, subject_id uuid, subject text,
--   address text, request_id text, before jsonb, after jsonb)
INSERT INTO audit (organization_id, id, action, member_id, member_email, credential_id, subject_id, subject, address,
  request_id, before, after)
SELECT $1, $2, $3, $4,
  coalesce((SELECT p.email FROM member m JOIN person p ON p.id = m.person_id WHERE m.organization_id = $1 AND m.id = $4), ''),
  $5, $6, $7, $8, $9, $10, $11
