-- write(organization_id uuid, contact_id uuid, list_ids uuid[])
DELETE FROM membership
WHERE organization_id = $1 AND contact_id = $2 AND list_id = ANY (ARRAY(SELECT unnest($3)))
RETURNING list_id
