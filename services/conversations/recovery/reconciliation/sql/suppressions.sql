-- read(organization_id uuid, contact_ids uuid[])
SELECT contact_id, opted_out, nullif(opted_out_at, '-infinity') AS opted_out_at, blocked,
  nullif(blocked_at, '-infinity') AS blocked_at
FROM suppression
WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2)))
