-- write(organization_id uuid, contact_id uuid, kept_tag_ids uuid[])
DELETE FROM contact_tag WHERE organization_id = $1 AND contact_id = $2 AND tag_id <> ALL ($3)
