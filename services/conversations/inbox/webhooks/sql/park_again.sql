-- write(id int8, organization_id uuid, error text, retry_seconds int8, awaits text, attempts int4)
SELECT parked_again($1, $2, $3, $4, $5, $6)
