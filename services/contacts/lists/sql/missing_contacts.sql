-- write(organization_id uuid, contact_ids uuid[])
SELECT wanted.id
FROM unnest($2) AS wanted(id)
WHERE NOT EXISTS (SELECT FROM contact c WHERE c.organization_id = $1 AND c.id = wanted.id)
