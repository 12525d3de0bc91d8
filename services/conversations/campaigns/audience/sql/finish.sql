-- write(organization_id uuid, campaign_id uuid, after uuid, count int8, chunk int8)
-- From here on it is sent.
WITH finished AS (
  UPDATE campaign SET audience_done = true, audience_owner = NULL, audience_lease = NULL
  WHERE organization_id = $1 AND id = $2 AND status = 'Running' AND NOT audience_done
    AND audience_after = $3 AND audience_count = $4
  RETURNING audience_count
), cut AS (
  INSERT INTO chunk (organization_id, campaign_id, first, last)
  SELECT $1, $2, first, least(first + $5 - 1, audience_count)
  FROM finished, generate_series(1, audience_count::int8, $5) AS first
)
SELECT audience_count FROM finished
