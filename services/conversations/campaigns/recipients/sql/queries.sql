-- name: count read(organization_id uuid, campaign_id uuid, after int4, until int4, variant int4, state text, reason text)
SELECT count(*)
/*include matching*/

-- name: by_index read()
-- Until the transaction ends. A plan cached while the tables were small would last after a campaign has filled them.
SELECT set_config('enable_seqscan', 'off', true)

-- name: campaign read(organization_id uuid, id uuid)
SELECT id AS "uniqueId", status, variants, audience_count, audience_done
FROM campaign
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL
