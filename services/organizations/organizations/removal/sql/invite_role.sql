-- write(organization_id uuid, id uuid, most int8)
DELETE FROM invite_role
WHERE organization_id = $1 AND ctid = ANY(ARRAY(SELECT ctid FROM invite_role WHERE organization_id = $1 LIMIT $3))
