-- write(organization_id uuid, merged_id uuid, most int8)
UPDATE webhook_notice n SET contact_id = m.into_id
FROM merged_contact m
WHERE m.organization_id = $1 AND m.contact_id = $2 AND n.organization_id = $1 AND n.id = ANY (ARRAY(
  SELECT id FROM webhook_notice WHERE organization_id = $1 AND contact_id = $2 AND body IS NOT NULL LIMIT $3))
