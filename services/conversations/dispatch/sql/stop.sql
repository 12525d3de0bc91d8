-- write(organization_id uuid, phone_number_id text, pause int8, code int4, text text)
UPDATE sender SET stopped_until = now() + $3 * interval '1 millisecond', stop_code = $4, stop_text = $5
WHERE organization_id = $1 AND phone_number_id = $2
