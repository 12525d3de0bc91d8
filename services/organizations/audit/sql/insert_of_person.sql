-- write(person_id uuid, action text, themselves bool, credential_id text, address text, request_id text)
-- What concerns a person, in the audits of all organizations that they are a member of.
INSERT INTO audit (organization_id, id, action, member_id, member_email, credential_id, subject_id, subject, address,
  request_id)
SELECT m.organization_id, gen_random_uuid(), $2, CASE WHEN $3 THEN m.id END, CASE WHEN $3 THEN p.email ELSE '' END,
  $4, m.id, p.email, $5, $6
FROM person p
  JOIN member m ON m.person_id = p.id
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
WHERE p.id = $1
