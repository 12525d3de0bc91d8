-- write(organization_id uuid, phone_number_id text, field text, kind text, element bytea, error text, received_at timestamptz, retry_seconds int8, awaits text)
WITH new AS (INSERT INTO webhook_owner VALUES (webhook_owner_of($1, $5)) ON CONFLICT DO NOTHING)
INSERT INTO parked_element (organization_id, phone_number_id, field, kind, element, error, received_at, due_at, awaits, owner)
VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), $9, webhook_owner_of($1, $5))
