-- write(organization_id uuid, phones text[])
SELECT id, phone FROM contact WHERE organization_id = $1 AND phone = ANY ($2)
