-- write(organization_id uuid, id uuid, phone text)
-- The channel may have told one that no plan knows, or none.
SELECT coalesce(phone, '') = $3 AS same FROM contact WHERE organization_id = $1 AND id = $2
