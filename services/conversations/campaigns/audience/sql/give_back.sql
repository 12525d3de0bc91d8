-- write(organization_id uuid, campaign_id uuid, owner uuid, pause_milliseconds int8)
-- For anyone to take, but not before the pause is over; others that wait come first.
UPDATE campaign
SET audience_owner = NULL, audience_lease = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND audience_owner = $3
