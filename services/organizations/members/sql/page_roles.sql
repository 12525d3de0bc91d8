-- read(organization_id uuid, search text, access_level text, role_id uuid, after_id uuid, after_text text, per_page int8,
--   skip int8)
SELECT x.member_id, r.id, r.name, r.description, r.permissions
FROM (SELECT m.id
  /*include ordered*/
) page
  JOIN member_role x ON x.organization_id = $1 AND x.member_id = page.id
  JOIN role r ON r.organization_id = $1 AND r.id = x.role_id
ORDER BY x.member_id, r.id
