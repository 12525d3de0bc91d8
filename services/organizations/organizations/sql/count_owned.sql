-- read(person_id uuid)
SELECT count(*)
FROM member m JOIN organization o ON o.organization_id = m.organization_id
WHERE m.person_id = $1 AND m.access_level = 'Owner' AND o.deleted_at IS NULL
