-- write(organization_id uuid, business_account_id text, listed_at timestamptz, ids text[], names text[],
--   languages text[], categories text[], statuses text[], components jsonb[])
INSERT INTO template AS t (organization_id, id, business_account_id, name, language, category, status, components)
SELECT DISTINCT ON (l.id) $1, l.id, $2, l.name, l.language, l.category, l.status, l.components
FROM unnest($4, $5, $6, $7, $8, $9) AS l (id, name, language, category, status, components)
ON CONFLICT (organization_id, id) DO UPDATE
SET business_account_id = excluded.business_account_id, name = excluded.name, language = excluded.language,
  category = excluded.category, components = excluded.components,
  status = CASE WHEN t.status_at > $3 THEN t.status ELSE excluded.status END,
  status_reason = CASE WHEN t.status_at > $3 OR t.status = excluded.status THEN t.status_reason ELSE '' END
