-- write(walk uuid, organization_id uuid, contact_id uuid)
DELETE FROM contact_walk WHERE walk = $1 AND organization_id = $2 AND contact_id = $3
