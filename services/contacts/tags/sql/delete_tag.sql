-- write(organization_id uuid, id uuid)
-- With it go the rows of list_tag. Those of contact_tag are removed in the background.
DELETE FROM tag WHERE organization_id = $1 AND id = $2
