-- write(organization_id uuid, ids uuid[])
DELETE FROM removal
WHERE organization_id = $1 AND kind = 'lost contact' AND id = ANY (ARRAY(SELECT unnest($2))) AND due_at > now()
RETURNING id
