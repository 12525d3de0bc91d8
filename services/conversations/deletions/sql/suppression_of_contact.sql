-- write(organization_id uuid, contact_id uuid, most int8)
-- One row, so `most` bounds nothing.
DELETE FROM suppression WHERE organization_id = $1 AND contact_id = $2 AND $3 > 0
