-- write(most int4)
-- Chunks of imports that have ended and of uploads that were given up, of any organization.
DELETE FROM import_chunk
WHERE (organization_id, import_id, number) IN (
  SELECT c.organization_id, c.import_id, c.number
  FROM import i JOIN import_chunk c ON c.organization_id = i.organization_id AND c.import_id = i.id
  WHERE i.status IN ('Finished', 'Failed', 'Cancelled') OR (i.status = 'Uploading' AND i.lease_until <= now())
  LIMIT $1)
