-- name: organization write(organization_id uuid, id uuid)
-- With it goes whatever was written meanwhile by requests that came before the deletion.
DELETE FROM organization WHERE organization_id = $1 AND organization_id = $2 AND deleted_at IS NOT NULL
