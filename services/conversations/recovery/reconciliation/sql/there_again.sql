-- write(organization_id uuid, contact_id uuid, into_id uuid)
-- What a contact was merged into just now had been merged into it: it is there again, as after a restored backup.
DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $3 AND into_id = $2
