-- read(organization_id uuid, contact_id uuid, most int8)
-- The next contacts of any organization that rows here refer to, in the order of the walk.
(SELECT DISTINCT organization_id, contact_id FROM conversation
 WHERE (organization_id, contact_id) > ($1, $2) AND NOT tombstone
 ORDER BY organization_id, contact_id LIMIT $3)
UNION
(SELECT organization_id, contact_id FROM suppression
 WHERE (organization_id, contact_id) > ($1, $2)
 ORDER BY organization_id, contact_id LIMIT $3)
UNION
(SELECT organization_id, id FROM removal
 WHERE (organization_id, id) > ($1, $2) AND kind = 'lost contact'
 ORDER BY organization_id, id LIMIT $3)
ORDER BY organization_id, contact_id LIMIT $3
