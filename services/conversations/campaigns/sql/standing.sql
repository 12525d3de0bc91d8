-- read(organization_id uuid, ids uuid[])
SELECT w.id, n.*, d.in_doubt, coalesce(r.rate, 0) AS rate
FROM (SELECT $1 AS organization_id, id FROM unnest($2) AS wanted (id)) w
  /*include standing*/
  LEFT JOIN campaign_rate r
    ON r.organization_id = $1 AND r.campaign_id = w.id AND r.at > now() - interval '1 minute'
