-- read(organization_id uuid, campaign_id uuid, id uuid)
SELECT /*include retarget*/
FROM retarget r JOIN campaign c ON c.organization_id = $1 AND c.id = r.campaign_id AND c.deleted_at IS NULL
WHERE r.organization_id = $1 AND r.campaign_id = $2 AND r.id = $3
