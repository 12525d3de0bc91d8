-- write(organization_id uuid, campaign_id uuid, owner uuid, lease_milliseconds int8, after uuid, count int8, next uuid, added int8)
-- The fence: a place is left by one transaction only, that which adds what comes behind it.
UPDATE campaign
SET audience_after = $7, audience_count = $6 + $8, audience_owner = $3,
  audience_lease = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND status = 'Running' AND NOT audience_done
  AND audience_after = $5 AND audience_count = $6
