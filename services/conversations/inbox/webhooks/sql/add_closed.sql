-- write(organization_id uuid, ids uuid[], contact_ids uuid[], untold bool[])
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, untold)
SELECT $1, n.id, n.contact_id, 'Contact', 'Closed', n.untold
FROM unnest($2, $3, $4) AS n (id, contact_id, untold)
