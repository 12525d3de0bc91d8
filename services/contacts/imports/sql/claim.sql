-- write(owner uuid, lease_seconds int8)
-- The next import that nobody works on: of the organization that was served longest ago. Those of one organization go one after
-- the other, in their order: a later one shall win.
UPDATE import SET status = 'Running', owner = $1, lease_until = now() + $2 * interval '1 second', attempts = attempts + 1,
  served_at = clock_timestamp()
WHERE (organization_id, id) = (
  SELECT i.organization_id, i.id FROM import i
  WHERE /*include due*/
  ORDER BY (SELECT max(s.served_at) FROM import s WHERE s.organization_id = i.organization_id), i.id LIMIT 1
  FOR UPDATE SKIP LOCKED)
RETURNING organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, size, attempts, position, line,
  rows_read, imported, updated, skipped, failed, tags, errors
