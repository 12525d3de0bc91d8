-- write(organization_id uuid, list_id uuid, contact_ids uuid[])
DELETE FROM membership
WHERE organization_id = $1 AND list_id = $2 AND contact_id = ANY (ARRAY(SELECT unnest($3)))
