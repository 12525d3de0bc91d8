-- write(organization_id uuid, role_id uuid)
-- Of those whose rights are their roles', and this one among them.
DELETE FROM invite
WHERE organization_id = $1 AND accepted_at IS NULL AND invited_by IN (
  SELECT m.id FROM member_role x JOIN member m ON m.organization_id = $1 AND m.id = x.member_id
  WHERE x.organization_id = $1 AND x.role_id = $2 AND m.access_level = 'Member')
