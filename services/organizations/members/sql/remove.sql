-- write(organization_id uuid, id uuid)
-- With it go the member's roles and keys.
DELETE FROM member WHERE organization_id = $1 AND id = $2
