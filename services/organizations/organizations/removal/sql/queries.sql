-- name: organization write(organization_id uuid, id uuid)
-- Cascades to rows that requests from before the deletion have written meanwhile.
DELETE FROM organization WHERE organization_id = $1 AND organization_id = $2 AND deleted_at IS NOT NULL
