-- write(organization_id uuid, id uuid, url text, description text, events text[], active bool, secret text, most int8)
-- No row when there are as many as there may be.
INSERT INTO webhook (organization_id, id, url, description, events, active, secret)
SELECT $1, $2, $3, $4, $5, $6, $7
WHERE (SELECT count(*) FROM webhook WHERE organization_id = $1) < $8
RETURNING /*include webhook*/
