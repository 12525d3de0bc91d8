-- read(organization_id uuid, campaign_id uuid, first int4, last int4)
SELECT t.ordinal, t.recipient, t.variant, t.message_id, t.parameters
FROM chunk_targets($1, $2, $3, $4) t
