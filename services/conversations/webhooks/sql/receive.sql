-- write(organization_ids uuid[], bodies bytea[])
INSERT INTO inbox (organization_id, body) SELECT * FROM unnest($1, $2)
