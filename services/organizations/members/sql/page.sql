-- read(organization_id uuid, search text, access_level text, role_id uuid, after_id uuid, after_text text, per_page int8,
--   skip int8)
SELECT m.id AS "uniqueId", m.created_at AS "createdAt", m.access_level AS "accessLevel", p.name, p.email
/*include ordered*/
