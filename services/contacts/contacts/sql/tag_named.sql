-- read(organization_id uuid, id uuid, label text)
-- Looked up before what it filters, so that the plan for that can depend on how many bear it.
SELECT coalesce((SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = $2),
  (SELECT t.id FROM tag t WHERE t.organization_id = $1 AND lower(t.label) = lower($3))) AS id
