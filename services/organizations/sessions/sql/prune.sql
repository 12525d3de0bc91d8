-- write(person_id uuid, idle_seconds int8, most int8)
-- What has ended, and the oldest beyond the most that a person may have.
DELETE FROM session
WHERE person_id = $1
  AND (expires_at <= now() OR last_used_at <= now() - $2 * interval '1 second'
       OR id IN (SELECT id FROM session WHERE person_id = $1 ORDER BY created_at DESC, id DESC OFFSET $3))
