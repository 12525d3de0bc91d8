-- write(organization_id uuid, contact_id uuid, most int8)
-- A row a name, so `most` bounds nothing.
DELETE FROM suppression WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2)))) AND $3 > 0
