-- write(organization_id uuid, contact_ids uuid[])
-- In the order of contacts, as all who write several.
SELECT contact_id FROM suppression
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY contact_id FOR UPDATE
