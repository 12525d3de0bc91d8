-- name: held slow()
SELECT /*include suspect*/ AND c.held AND c.status = 'Paused'
ORDER BY c.organization_id, c.id

-- name: is_restored read()
SELECT is_restored()

-- name: suspects slow(taken_at timestamptz)
-- Campaigns that may have continued after the backup, and up to which recipient they were surely handled before it. One
-- that had not begun may have been resumed, advanced or cancelled since.
SELECT /*include suspect*/ AND NOT c.held AND c.created_at <= $1 AND c.status IN ('Running', 'Paused', 'Scheduled')
ORDER BY c.organization_id, c.id

-- name: doubt_queued write(taken_at timestamptz, doubt int8, most int4)
-- Messages queued or in flight at the backup may have been sent since. A receipt may be sent twice.
UPDATE outgoing o SET state = 'InDoubt', due_at = now() + $2 * interval '1 millisecond'
FROM (
  SELECT organization_id, message_id FROM outgoing
  WHERE kind = 'Message' AND state <> 'InDoubt' AND created_at <= $1
  LIMIT $3
  FOR UPDATE
) w
WHERE o.organization_id = w.organization_id AND o.message_id = w.message_id AND o.kind = 'Message'

-- name: hold write(organization_id uuid, id uuid, reason text, found_as text)
UPDATE campaign SET held = true, status_reason = $3, held_status = $4
WHERE organization_id = $1 AND id = $2 AND status = 'Paused'

-- name: release write(organization_id uuid, id uuid, doubtful int4, reason text)
-- The two passes of an experiment go over the same recipients: there "the first N" are all.
UPDATE campaign SET held = false, held_status = NULL, status_reason = $4,
  doubtful = greatest(doubtful, CASE WHEN experiment IS NOT NULL AND $3 > 0 THEN 2147483647 ELSE $3 END)
WHERE organization_id = $1 AND id = $2 AND held AND status = 'Paused'
RETURNING coalesce(scheduled_at > now(), false) AS ahead

-- name: settle write()
-- Allows sending again.
UPDATE feed SET home = incarnation()
