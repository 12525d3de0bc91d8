-- write(organization_id uuid, contact_id uuid, blocked bool, seen_at timestamptz)
-- Only members block, in contacts: what is known of it there holds, unless more was heard of it meanwhile.
UPDATE suppression SET blocked = $3
WHERE organization_id = $1 AND contact_id = $2 AND nullif(blocked_at, '-infinity') IS NOT DISTINCT FROM $4
