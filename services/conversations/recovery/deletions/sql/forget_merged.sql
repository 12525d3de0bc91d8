-- write(organization_id uuid, merged_id uuid)
-- Unless a campaign may still come to it, as a trigger sees to; then campaigns' forget_merged does it.
DELETE FROM merged_contact WHERE organization_id = $1 AND contact_id = $2
