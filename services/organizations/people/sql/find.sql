-- read(id uuid)
SELECT id AS "uniqueId", name, email, created_at AS "createdAt", password_hash IS NOT NULL AS "hasPassword"
FROM person
WHERE id = $1
