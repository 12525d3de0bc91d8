-- write(after uuid, place text, most int8, lease_seconds int8)
-- The oldest file of each of the next organizations, so that one with many leaves the others their turn.
WITH RECURSIVE turn AS (
  (SELECT organization_id, message_id, 1 AS number
   FROM media_file f
   WHERE state = 'Waiting' AND organization_id > $1 AND due_at <= now() AND /*include clear*/
   ORDER BY organization_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.organization_id, next.message_id, turn.number + 1
  FROM turn CROSS JOIN LATERAL (
    SELECT f.organization_id, f.message_id
    FROM media_file f
    WHERE f.state = 'Waiting' AND f.organization_id > turn.organization_id AND f.due_at <= now() AND /*include clear*/
    ORDER BY f.organization_id, f.due_at LIMIT 1) next
  WHERE turn.number < $3
), held AS (
  SELECT f.organization_id, f.message_id
  FROM turn JOIN media_file f ON f.organization_id = turn.organization_id AND f.message_id = turn.message_id
  WHERE f.state = 'Waiting' AND f.due_at <= now()
  ORDER BY f.organization_id, f.message_id
  FOR NO KEY UPDATE OF f SKIP LOCKED
)
UPDATE media_file f
SET lease = gen_random_uuid(), due_at = now() + $4 * interval '1 second', attempts = f.attempts + 1, place = $2
FROM held
WHERE f.organization_id = held.organization_id AND f.message_id = held.message_id
RETURNING f.organization_id, f.message_id, f.media_id, f.lease, f.attempts,
  extract(epoch FROM now() - f.created_at)::int8 AS age
