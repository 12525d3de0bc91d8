-- write(organization_id uuid, merged_id uuid)
-- Unless a campaign may still come to it; then campaigns' forget_merged does it.
DELETE FROM merged_contact
WHERE organization_id = $1 AND contact_id = $2 AND NOT is_open_recipient($1, $2)
