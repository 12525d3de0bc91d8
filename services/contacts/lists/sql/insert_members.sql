-- write(organization_id uuid, list_id uuid, contact_ids uuid[])
-- In one sorted order with all other writers of these rows' contacts.
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, $2, contact_id FROM unnest($3) AS c(contact_id) ORDER BY contact_id
ON CONFLICT DO NOTHING
