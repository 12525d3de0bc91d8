-- write(organization_id uuid, contact_ids uuid[])
SELECT contact_id, opted_out, blocked
FROM suppression
WHERE organization_id = $1 AND contact_id = ANY ($2) AND (opted_out OR blocked)
