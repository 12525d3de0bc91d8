-- write(owner uuid, lease_milliseconds int8)
-- One of the campaigns whose audience is to be gathered and nobody gathers.
UPDATE campaign c SET audience_owner = $1, audience_lease = now() + $2 * interval '1 millisecond'
FROM (SELECT organization_id, id FROM campaign
      WHERE status = 'Running' AND NOT audience_done AND (audience_lease IS NULL OR audience_lease < now())
      ORDER BY audience_lease NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED) AS free
WHERE c.organization_id = free.organization_id AND c.id = free.id
RETURNING c.organization_id, c.id, c.message, c.variants, c.list_ids, c.excluded_list_ids, c.audience_after,
  c.audience_count, c.status_reason
