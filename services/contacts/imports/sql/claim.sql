-- write(owner uuid, lease_seconds int8)
-- The next import of any organization that nobody works on. Those of one organization go one after the other, in their order: a
-- later one shall win.
UPDATE import SET status = 'Running', owner = $1, lease_until = now() + $2 * interval '1 second', attempts = attempts + 1
WHERE (organization_id, id) = (
  SELECT i.organization_id, i.id FROM import i
  WHERE (i.status = 'Queued' OR (i.status = 'Running' AND i.lease_until <= now()))
    AND NOT EXISTS (SELECT FROM import o
                    WHERE o.organization_id = i.organization_id AND o.id < i.id AND o.status IN ('Queued', 'Running'))
  ORDER BY i.id LIMIT 1
  FOR UPDATE SKIP LOCKED)
RETURNING organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, size, attempts, position, line,
  rows_read, imported, updated, skipped, failed, tags, errors
