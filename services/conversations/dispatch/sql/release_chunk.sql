-- write(organization_id uuid, campaign_id uuid, first int4, owner uuid)
UPDATE chunk SET owner = NULL
WHERE organization_id = $1 AND campaign_id = $2 AND first = $3 AND owner = $4 AND NOT done
