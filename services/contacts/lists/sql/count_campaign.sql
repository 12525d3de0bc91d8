-- write(organization_id uuid, list_ids uuid[])
UPDATE list SET campaigns_sent = campaigns_sent + 1 WHERE organization_id = $1 AND id = ANY ($2)
