-- write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, new.contact_id, new.tag_id
FROM unnest($2, $3) AS new(contact_id, tag_id)
ORDER BY new.contact_id, new.tag_id
ON CONFLICT DO NOTHING
