-- name: page read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz,
--   after_moment timestamptz, after_id uuid, per_page int8, skip int8)
SELECT a.id AS "uniqueId", a.created_at AS "createdAt", a.action, a.member_id AS "memberId",
  a.member_email AS "memberEmail", a.credential_id AS "credentialId", a.subject_id AS "subjectId", a.subject,
  a.address, a.request_id AS "requestId", a.before, a.after
/*include matching*/
/*if after*/ AND (a.created_at, a.id) /*if descending*/ < /*else*/ > /*end*/ ($7, $8) /*end*/
/*if descending*/ ORDER BY a.created_at DESC, a.id DESC /*else*/ ORDER BY a.created_at, a.id /*end*/
LIMIT $9 OFFSET $10

-- name: count read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz)
SELECT count(*)
/*include matching*/

-- name: insert write(organization_id uuid, id uuid, action text, member_id uuid, credential_id text, subject_id uuid, subject text,
--   address text, request_id text, before jsonb, after jsonb)
INSERT INTO audit (organization_id, id, action, member_id, member_email, credential_id, subject_id, subject, address,
  request_id, before, after)
SELECT $1, $2, $3, $4,
  coalesce((SELECT p.email FROM member m JOIN person p ON p.id = m.person_id WHERE m.organization_id = $1 AND m.id = $4), ''),
  $5, $6, $7, $8, $9, $10, $11

-- name: insert_of_person write(person_id uuid, action text, themselves bool, credential_id text, address text, request_id text)
-- An entry in the audit of each of the person's organizations.
INSERT INTO audit (organization_id, id, action, member_id, member_email, credential_id, subject_id, subject, address,
  request_id)
SELECT m.organization_id, gen_random_uuid(), $2, CASE WHEN $3 THEN m.id END, CASE WHEN $3 THEN p.email ELSE '' END,
  $4, m.id, p.email, $5, $6
FROM person p
  JOIN member m ON m.person_id = p.id
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
WHERE p.id = $1

-- name: insert_told write(organization_id uuid, id uuid, created_at timestamptz, action text, member_id uuid, credential_id text,
--   subject_id uuid, subject text, address text, request_id text, details jsonb)
INSERT INTO audit (organization_id, id, created_at, action, member_id, member_email, credential_id, subject_id, subject,
  address, request_id, after)
SELECT $1, $2, $3, $4, $5,
  coalesce((SELECT p.email FROM member m JOIN person p ON p.id = m.person_id WHERE m.organization_id = $1 AND m.id = $5), ''),
  $6, $7, $8, $9, $10, $11
FROM organization o
WHERE o.organization_id = $1 AND o.deleted_at IS NULL
ON CONFLICT (organization_id, id) DO NOTHING
