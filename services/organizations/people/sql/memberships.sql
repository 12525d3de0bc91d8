-- read(person_id uuid)
SELECT o.organization_id AS "uniqueId", o.name, m.id AS "memberId", m.access_level AS "accessLevel"
FROM member m JOIN organization o ON o.organization_id = m.organization_id
WHERE m.person_id = $1 AND o.deleted_at IS NULL
ORDER BY m.created_at, m.organization_id
