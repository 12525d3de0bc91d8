-- write(organization_id uuid, list_id uuid, tag_ids uuid[])
DELETE FROM list_tag WHERE organization_id = $1 AND list_id = $2 AND tag_id <> ALL ($3)
