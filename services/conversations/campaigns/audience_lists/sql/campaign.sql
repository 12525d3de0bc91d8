-- read(organization_id uuid, id uuid)
SELECT status, audience_count AS last FROM campaign WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
