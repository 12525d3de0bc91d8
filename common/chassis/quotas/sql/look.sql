-- write(organization_id uuid, name text, usual int8)
SELECT coalesce((SELECT q.most FROM quota q WHERE q.organization_id = $1 AND q.name = $2), $3) AS "limit",
  quota_used($1, $2) AS used
