-- read(organization_id uuid, starts timestamptz, ends timestamptz, unit text, zone text, campaign_id uuid, list_id uuid,
--      tag text)
-- As campaigns.sql, for some campaigns: one pass over their rows, which are grouped by day or hour.
/*include slots*/, edges AS MATERIALIZED (SELECT array_agg(starts ORDER BY number) AS edges FROM ranged)
/*include sums*/
FROM ranged
LEFT JOIN (
  SELECT width_bucket(bucket, edges) AS number, sum(recipients) AS recipients, sum(sent) AS sent,
         sum(delivered) AS delivered, sum(read) AS read, sum(failed) AS failed, sum(undelivered) AS undelivered,
         sum(replied) AS replied, sum(engaged) AS engaged, sum(replies) AS replies,
         sum(conversations) AS conversations, sum(replies_at) AS replies_at, sum(clicks_at) AS clicks_at
  FROM campaign_rollup r CROSS JOIN edges
  WHERE r.organization_id = $1 AND r.bucket >= $2 AND r.bucket < $3
    /*if by_campaign*/ AND r.campaign_id = $6 /*end*/
    /*if described*/ AND r.campaign_id = ANY (ARRAY(
      SELECT c.campaign_id FROM campaign c
      WHERE c.organization_id = $1
        /*if by_list*/ AND c.list_ids @> ARRAY[$7] /*end*/
        /*if by_tag*/ AND c.tags @> ARRAY[lower($8)] /*end*/)) /*end*/
  GROUP BY 1
) sums USING (number)
ORDER BY date
