-- write(organization_id uuid, ids uuid[], contact_ids uuid[])
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status)
SELECT $1, n.id, n.contact_id, 'Contact', 'Closed'
FROM unnest($2, $3) AS n (id, contact_id)
