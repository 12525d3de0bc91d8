-- write(organization_id uuid, id uuid, name text, phone text, attributes jsonb, status text)
UPDATE contact
SET name = coalesce($3, name), phone = coalesce($4, phone), attributes = coalesce($5, attributes),
  status = coalesce($6, status)
WHERE organization_id = $1 AND id = $2
