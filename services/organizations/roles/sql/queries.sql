-- name: find read(organization_id uuid, id uuid)
SELECT id, name, description, permissions, version::text FROM role WHERE organization_id = $1 AND id = $2

-- name: page read(organization_id uuid, search text, after_id uuid, after_name text, per_page int8, skip int8)
SELECT r.id, r.name, r.description, r.permissions
FROM role r
WHERE r.organization_id = $1
/*if by_search*/ AND strpos(lower(r.name), lower($2)) > 0 /*end*/
/*if by_name*/
  /*if after*/ AND (lower(r.name), r.id) /*if descending*/ < /*else*/ > /*end*/ (lower($4), $3) /*end*/
  /*if descending*/ ORDER BY lower(r.name) DESC, r.id DESC /*else*/ ORDER BY lower(r.name), r.id /*end*/
/*else*/
  /*if after*/ /*if descending*/ AND r.id < $3 /*else*/ AND r.id > $3 /*end*/ /*end*/
  /*if descending*/ ORDER BY r.id DESC /*else*/ ORDER BY r.id /*end*/
/*end*/
LIMIT $5 OFFSET $6

-- name: count read(organization_id uuid, search text)
SELECT count(*)
FROM role r
WHERE r.organization_id = $1
/*if by_search*/ AND strpos(lower(r.name), lower($2)) > 0 /*end*/

-- name: with_ids read(organization_id uuid, ids uuid[])
SELECT id, name, description, permissions FROM role WHERE organization_id = $1 AND id = ANY($2)

-- name: insert write(organization_id uuid, id uuid, name text, description text, permissions int8)
INSERT INTO role (organization_id, id, name, description, permissions)
VALUES ($1, $2, $3, $4, $5)

-- name: update write(organization_id uuid, id uuid, name text, description text, permissions int8)
UPDATE role SET name = $3, description = $4, permissions = $5 WHERE organization_id = $1 AND id = $2

-- name: remove write(organization_id uuid, id uuid)
DELETE FROM role WHERE organization_id = $1 AND id = $2

-- name: revoke_invites write(organization_id uuid, role_id uuid)
-- Open invites by Members with this role; Owners and Admins do not depend on roles.
DELETE FROM invite
WHERE organization_id = $1 AND accepted_at IS NULL AND invited_by IN (
  SELECT m.id FROM member_role x JOIN member m ON m.organization_id = $1 AND m.id = x.member_id
  WHERE x.organization_id = $1 AND x.role_id = $2 AND m.access_level = 'Member')
