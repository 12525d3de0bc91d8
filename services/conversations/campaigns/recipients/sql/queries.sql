-- name: count read(organization_id uuid, campaign_id uuid, after int4, until int4, variant int4, state text, reason text)
SELECT count(*)
/*include matching*/

-- name: by_index read()
-- For the rest of the transaction. A plan that is made when the tables are small lasts, also when a campaign has filled
-- them a minute later.
SELECT set_config('enable_seqscan', 'off', true)

-- name: campaign read(organization_id uuid, id uuid)
SELECT id AS "uniqueId", status, variants, audience_count, audience_done
FROM campaign
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
