-- read()
SELECT walk, organization_id, contact_id FROM contact_walk
