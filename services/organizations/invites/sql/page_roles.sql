-- read(organization_id uuid, search text, status text, after_id uuid, after_email text, per_page int8, skip int8)
SELECT x.invite_id, r.id, r.name, r.description, r.permissions
FROM (SELECT i.id
  /*include ordered*/
) page
  JOIN invite_role x ON x.organization_id = $1 AND x.invite_id = page.id
  JOIN role r ON r.organization_id = $1 AND r.id = x.role_id
ORDER BY x.invite_id, r.id
