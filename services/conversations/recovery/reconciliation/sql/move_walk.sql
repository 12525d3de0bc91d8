-- write(walk uuid, organization_id uuid, contact_id uuid, next_organization_id uuid, next_contact_id uuid)
UPDATE contact_walk SET organization_id = $4, contact_id = $5
WHERE walk = $1 AND organization_id = $2 AND contact_id = $3
