-- read(organization_id uuid, campaign_id uuid, after int4, until int4, variant int4, state text, reason text)
SELECT count(*)
/*include matching*/
