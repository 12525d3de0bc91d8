-- write(organization_id uuid, id uuid, name text, phone text, attributes jsonb, status text)
-- Another status holds from now on, and is newer than what was said before, whatever clocks say.
UPDATE contact c
SET name = coalesce($3, c.name), phone = coalesce($4, c.phone), attributes = coalesce($5, c.attributes),
  status = coalesce($6, c.status),
  status_at = CASE WHEN $6 <> c.status
                   THEN greatest(date_trunc('milliseconds', clock_timestamp()), c.status_at + interval '1 millisecond')
                   ELSE c.status_at END
FROM contact old
WHERE c.organization_id = $1 AND c.id = $2 AND old.organization_id = $1 AND old.id = $2
RETURNING CASE WHEN c.status <> old.status THEN c.status_at END AS said_at
