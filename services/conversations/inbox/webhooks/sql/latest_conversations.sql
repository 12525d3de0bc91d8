-- write(organization_id uuid, contact_ids uuid[])
SELECT DISTINCT ON (contact_id) contact_id, id
FROM conversation
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted'
ORDER BY contact_id, id DESC
