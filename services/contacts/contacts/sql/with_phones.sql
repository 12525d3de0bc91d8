-- read(organization_id uuid, phones text[])
SELECT phone, id FROM contact WHERE organization_id = $1 AND phone = ANY ($2)
