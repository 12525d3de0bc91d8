-- write(organization_id uuid, id uuid, campaign_id uuid, list_id uuid, criteria jsonb, lease int8)
-- Whoever asks for it goes on to tell contacts of the list: the worker lets them, for so many milliseconds.
INSERT INTO retarget (organization_id, id, campaign_id, list_id, criteria, lease_until)
VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 millisecond')
