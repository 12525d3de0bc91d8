-- write(person_id uuid, organization_name text)
SELECT m.organization_id, m.id AS member_id
FROM member m
  JOIN organization o ON o.organization_id = m.organization_id
  JOIN person p ON p.id = m.person_id
WHERE m.person_id = $1 AND m.access_level = 'Owner' AND o.name = $2 AND o.deleted_at IS NULL
  AND m.created_at >= coalesce(p.taken_over_at, '-infinity')
ORDER BY m.organization_id
LIMIT 1
