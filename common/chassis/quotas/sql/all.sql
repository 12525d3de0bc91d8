-- read(organization_id uuid, names text[], usual int8[])
SELECT n.name, coalesce((SELECT q.most FROM quota q WHERE q.organization_id = $1 AND q.name = n.name), n.usual) AS "limit",
  quota_used($1, n.name) AS used
FROM unnest($2, $3) WITH ORDINALITY AS n(name, usual, place)
ORDER BY n.place
