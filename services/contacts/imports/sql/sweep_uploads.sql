-- write(most int4)
-- Uploads of any organization that were given up, once their chunks are gone.
DELETE FROM import
WHERE (organization_id, id) IN (
  SELECT i.organization_id, i.id FROM import i
  WHERE i.status = 'Uploading' AND i.lease_until <= now()
    AND NOT EXISTS (SELECT FROM import_chunk c WHERE c.organization_id = i.organization_id AND c.import_id = i.id)
  LIMIT $1
  FOR UPDATE SKIP LOCKED)
