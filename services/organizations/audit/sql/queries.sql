-- name: count read(organization_id uuid, search text, action text, member_id uuid, from_moment timestamptz, to_moment timestamptz)
-- With a search, among the first 20,000 in the order of the pages.
SELECT count(*)
/*if by_search*/
FROM (
    SELECT a.subject, a.member_email
    FROM audit a
    WHERE /*include filters*/
    ORDER BY /*include order*/
    LIMIT (SELECT 20000)
  ) a
WHERE /*include found*/
/*else*/
FROM audit a
WHERE /*include filters*/
/*end*/

-- name: tally read(organization_id uuid, action text)
SELECT coalesce(sum(t.entries), 0)::int8
FROM audit_tally t
WHERE t.organization_id = $1 /*if by_action*/ AND t.action = $2 /*end*/

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

-- name: insert_failed_sign_in write(person_id uuid, address text, request_id text, most int8)
-- An entry in the audit of each of the person's organizations that has fewer of the last hour.
INSERT INTO audit (organization_id, id, action, member_email, credential_id, subject_id, subject, address, request_id)
SELECT m.organization_id, gen_random_uuid(), 'SignInFailed', '', '', m.id, p.email, $2, $3
FROM person p
  JOIN member m ON m.person_id = p.id
  JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
WHERE p.id = $1
  AND $4 > (SELECT count(*)
            FROM (SELECT FROM audit a
                  WHERE a.organization_id = m.organization_id AND a.action = 'SignInFailed'
                    AND a.created_at > now() - interval '1 hour' AND a.subject_id = m.id
                  LIMIT $4) a)

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
