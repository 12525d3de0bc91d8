-- write(organization_id uuid, id uuid, member_id uuid)
UPDATE conversation SET assigned_member_id = $3
WHERE organization_id = $1 AND id = $2 AND assigned_member_id IS DISTINCT FROM $3
