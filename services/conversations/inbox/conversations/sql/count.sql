-- slow(organization_id uuid, statuses text[], contact_ids uuid[], member_id uuid, campaign_id uuid)
SELECT (SELECT /*include version*/) AS version, /*include epoch*/ AS epoch,
  (SELECT count(*)
   FROM conversation c
   WHERE c.organization_id = $1 AND c.status = ANY ($2) /*if tombstones*/ AND c.tombstone /*end*/
     /*include filters*/) AS count
