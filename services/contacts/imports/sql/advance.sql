-- write(organization_id uuid, id uuid, owner uuid, lease_seconds int8, position int8, line int8, rows_read int8, imported int8,
--   updated int8, skipped int8, failed int8, tags text[], errors jsonb)
-- tags and errors NULL: no new ones.
UPDATE import SET position = $5, line = $6, rows_read = $7, imported = $8, updated = $9, skipped = $10, failed = $11,
  tags = coalesce($12, tags), errors = coalesce($13, errors), attempts = 0, lease_until = now() + $4 * interval '1 second',
  served_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2 AND owner = $3
