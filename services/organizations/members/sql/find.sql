-- read(organization_id uuid, id uuid)
SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email,
  m.version::text
FROM member m JOIN person p ON p.id = m.person_id
WHERE m.organization_id = $1 AND m.id = $2
