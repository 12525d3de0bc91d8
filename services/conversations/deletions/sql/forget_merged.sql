-- write(organization_id uuid, merged_id uuid)
DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $2
