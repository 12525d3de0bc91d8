-- read(organization_id uuid, id uuid)
SELECT id AS "uniqueId", status, variants, audience_count, audience_done
FROM campaign
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
