-- write(organization_id uuid, id uuid, url text, description text, events text[], active bool, secret text,
--   answerable_id uuid)
INSERT INTO webhook (organization_id, id, url, description, events, active, secret, answerable_id, check_due_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
RETURNING /*include webhook*/
