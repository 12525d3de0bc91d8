-- write(organization_id uuid, kept_ids text[])
DELETE FROM template WHERE organization_id = $1 AND id <> ALL ($2)
