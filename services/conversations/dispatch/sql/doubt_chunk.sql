-- write(organization_id uuid, campaign_id uuid, first int4, last int4, doubt int8)
SELECT FROM chunk_doubts($1, $2, $3, $4, $5)
