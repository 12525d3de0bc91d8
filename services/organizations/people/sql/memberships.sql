-- read(person_id uuid)
-- What the person was a member of when the address was taken over comes last.
SELECT o.organization_id AS "uniqueId", o.name, m.id AS "memberId", m.access_level AS "accessLevel"
FROM member m JOIN organization o ON o.organization_id = m.organization_id JOIN person p ON p.id = m.person_id
WHERE m.person_id = $1 AND o.deleted_at IS NULL
ORDER BY coalesce(m.created_at < p.taken_over_at, false), m.created_at, m.organization_id
