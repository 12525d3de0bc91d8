-- write(organization_ids uuid[], bodies bytea[])
-- New owners in one order, so that two who add the same ones do not wait for each other.
WITH given AS (SELECT o, b, webhook_owner_of(o, b) AS owner FROM unnest($1, $2) AS n (o, b)),
new AS (INSERT INTO webhook_owner SELECT DISTINCT owner FROM given ORDER BY owner ON CONFLICT DO NOTHING)
INSERT INTO inbox (organization_id, body, owner) SELECT o, b, owner FROM given
