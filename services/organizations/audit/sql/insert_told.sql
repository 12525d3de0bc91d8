-- write(organization_id uuid, id uuid, created_at timestamptz, action text, member_id uuid, credential_id text,
--   subject_id uuid, subject text, address text, request_id text, details jsonb)
INSERT INTO audit (organization_id, id, created_at, action, member_id, member_email, credential_id, subject_id, subject,
  address, request_id, after)
SELECT $1, $2, $3, $4, $5,
  coalesce((SELECT p.email FROM member m JOIN person p ON p.id = m.person_id WHERE m.organization_id = $1 AND m.id = $5), ''),
  $6, $7, $8, $9, $10, $11
FROM organization o
WHERE o.organization_id = $1 AND o.deleted_at IS NULL
ON CONFLICT (organization_id, id) DO NOTHING
