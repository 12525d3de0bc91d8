-- write(organization_id uuid, id uuid, number int4, octets bytea, chunk_octets int8, upload_seconds int8)
-- May be done again, when nobody knows whether it was done. No row when the upload was cancelled, or took too long since
-- the last chunk: it may be being removed already.
WITH open AS (
  UPDATE import SET size = $3 * $5 + octet_length($4), lease_until = now() + $6 * interval '1 second'
  WHERE organization_id = $1 AND id = $2 AND status = 'Uploading' AND lease_until > now()
  RETURNING id),
staged AS (
  INSERT INTO import_chunk (organization_id, import_id, number, octets)
  SELECT $1, id, $3, $4 FROM open
  ON CONFLICT DO NOTHING)
SELECT id FROM open
