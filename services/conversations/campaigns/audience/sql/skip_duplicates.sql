-- write(organization_id uuid, campaign_id uuid, ordinals int8[])
UPDATE target SET skipped = 'Duplicate'
WHERE organization_id = $1 AND campaign_id = $2 AND ordinal = ANY (ARRAY(SELECT unnest($3)::int)) AND skipped IS NULL
