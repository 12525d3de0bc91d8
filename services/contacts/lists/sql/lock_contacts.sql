-- write(organization_id uuid, ids uuid[])
-- Those that exist, held against deletion, in one order with all who hold contacts.
SELECT id FROM contact WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2))) ORDER BY id FOR KEY SHARE
