-- write(organization_id uuid, merged_id uuid, most int8)
UPDATE outgoing o SET contact_id = g.into_id
FROM merged_contact g
WHERE g.organization_id = $1 AND g.contact_id = $2 AND o.organization_id = $1 AND o.contact_id = $2 AND $3 > 0
