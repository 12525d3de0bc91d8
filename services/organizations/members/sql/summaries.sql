-- read(organization_id uuid, ids uuid[])
SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email
FROM member m JOIN person p ON p.id = m.person_id
WHERE m.organization_id = $1 AND m.id = ANY($2)
ORDER BY m.id
