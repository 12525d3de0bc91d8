-- read(organization_id uuid, id uuid)
SELECT id AS "uniqueId", name, coalesce(phone, '') AS phone, attributes, created_at AS "createdAt", status,
  version::text
FROM contact
WHERE organization_id = $1 AND id = $2
