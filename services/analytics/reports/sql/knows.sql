-- read(organization_id uuid, campaign_id uuid)
SELECT EXISTS (SELECT FROM campaign c WHERE c.organization_id = $1 AND c.campaign_id = $2)
       OR EXISTS (SELECT FROM campaign_rollup r WHERE r.organization_id = $1 AND r.campaign_id = $2)
