-- write(organization_id uuid, contact_id uuid, most int8)
UPDATE webhook_notice SET body = NULL
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT id FROM webhook_notice
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2)))) AND body IS NOT NULL LIMIT $3))
