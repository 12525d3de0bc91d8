-- write(organization_id uuid, names text[])
SELECT wanted.name, t.id
FROM unnest($2) AS wanted(name) JOIN tag t ON t.organization_id = $1 AND lower(t.label) = lower(wanted.name)
ORDER BY t.id
FOR KEY SHARE OF t
