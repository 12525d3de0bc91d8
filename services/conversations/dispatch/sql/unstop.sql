-- write(organization_id uuid, phone_number_id text)
UPDATE sender SET stopped_until = NULL, stop_code = NULL, stop_text = NULL
WHERE organization_id = $1 AND phone_number_id = $2 AND stop_text IS NOT NULL
