-- write(owner uuid, lease_milliseconds int8)
-- Takes an unowned campaign with an incomplete audience: first the longest waiting organization, then campaign.
UPDATE campaign c SET audience_owner = $1, audience_lease = now() + $2 * interval '1 millisecond'
WHERE (c.organization_id, c.id) = (
  SELECT w.organization_id, w.id
  FROM campaign w JOIN (
    SELECT organization_id, max(audience_lease) AS turn FROM campaign
    WHERE status = 'Running' AND NOT audience_done
    GROUP BY organization_id) o USING (organization_id)
  WHERE w.status = 'Running' AND NOT w.audience_done AND (w.audience_lease IS NULL OR w.audience_lease < now())
  ORDER BY o.turn NULLS FIRST, w.audience_lease NULLS FIRST LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
RETURNING c.organization_id, c.id, c.message, c.variants, c.list_ids, c.excluded_list_ids, c.segment_ids, c.audience_after,
  c.audience_count, c.status_reason, c.experiment IS NOT NULL AS has_experiment
