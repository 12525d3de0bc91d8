-- read(organization_id uuid, phone_number_id text, open_campaigns uuid[], open_firsts int4[], most int4)
-- The Running campaigns of a number whose audience is known; whether they have chunks besides the caller's; and how
-- many of their messages wait for a retry, at most $5.
SELECT c.id, c.messages_per_second, c.status_reason, c.doubtful,
  EXISTS (
    SELECT FROM chunk k
    WHERE k.organization_id = $1 AND k.campaign_id = c.id AND NOT k.done
      AND NOT EXISTS (
        SELECT FROM unnest($3, $4) AS o (campaign_id, first) WHERE o.campaign_id = k.campaign_id AND o.first = k.first)) AS open,
  (SELECT count(*) FROM (
     SELECT FROM outgoing o WHERE o.organization_id = $1 AND o.campaign_id = c.id AND o.state = 'Due' LIMIT $5) w) AS waiting
FROM campaign c
WHERE c.organization_id = $1 AND c.phone_number_id = $2 AND c.status = 'Running' AND c.audience_done
ORDER BY c.id
