-- write(organization_id uuid, list_id uuid, tag_ids uuid[])
INSERT INTO list_tag (organization_id, list_id, tag_id)
SELECT $1, $2, tag_id FROM unnest($3) AS t(tag_id) ORDER BY tag_id
ON CONFLICT DO NOTHING
