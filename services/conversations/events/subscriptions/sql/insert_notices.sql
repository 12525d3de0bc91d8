-- write(organization_ids uuid[], ids uuid[], types text[], contact_ids uuid[], bodies text[])
INSERT INTO webhook_notice (organization_id, id, type, contact_id, body) SELECT * FROM unnest($1, $2, $3, $4, $5)
