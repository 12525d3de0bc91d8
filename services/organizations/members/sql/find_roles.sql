-- write(organization_id uuid, names text[])
SELECT r.id, wanted.name
FROM unnest($2) AS wanted(name) JOIN role r ON r.organization_id = $1 AND lower(r.name) = lower(wanted.name)
