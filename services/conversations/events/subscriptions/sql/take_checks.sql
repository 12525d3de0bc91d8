-- write(lease_seconds int8, most int4)
-- Of any organization. Whoever takes them has until then; to the millisecond, as what is compared with it is.
UPDATE webhook w SET check_due_at = date_trunc('milliseconds', clock_timestamp() + $1 * interval '1 second')
FROM (SELECT organization_id, id FROM webhook WHERE check_due_at <= now()
      ORDER BY check_due_at LIMIT $2
      FOR NO KEY UPDATE SKIP LOCKED) due
WHERE w.organization_id = due.organization_id AND w.id = due.id
RETURNING w.organization_id, w.id, w.active, w.answerable_id, w.events, w.check_due_at AS taken_until
