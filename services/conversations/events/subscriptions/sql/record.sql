-- write(organization_id uuid, webhook_id uuid, id uuid, tries int4, state text, pause_seconds int8, attempted bool, duration_ms int4, response_status int4, response_body text, error text)
-- Nothing when somebody else has taken it over and was quicker.
UPDATE webhook_delivery SET state = $5, due_at = CASE $5 WHEN 'Pending' THEN clock_timestamp() + $6 * interval '1 second' END,
  tries = tries + 1, attempts = attempts + $7::int, attempted_at = CASE WHEN $7 THEN now() ELSE attempted_at END,
  duration_ms = $8, response_status = $9, response_body = $10, error = $11
WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND state = 'Pending' AND tries = $4
