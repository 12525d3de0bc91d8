-- name: find read(organization_id uuid, id uuid)
-- Hides messages of deleted conversations; the messages of a deleted contact no longer have a media id.
SELECT m.message_type, m.data->>'id' AS media_id, m.data->>'fileName' AS file_name,
  f.reason, CASE f.state WHEN 'Kept' THEN f.place END AS place, f.octets, encode(f.sha256, 'hex') AS sha256, f.mime_type
FROM message m
JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id AND c.status <> 'Deleted'
LEFT JOIN media_file f ON f.organization_id = $1 AND f.message_id = m.id
WHERE m.organization_id = $1 AND m.id = $2
  AND m.message_type IN ('Image', 'Video', 'Audio', 'Document', 'Sticker')

-- name: chunk read(organization_id uuid, message_id uuid, number int4)
SELECT octets FROM media_chunk WHERE organization_id = $1 AND message_id = $2 AND number = $3

-- name: add_chunk write(organization_id uuid, message_id uuid, lease uuid, number int4, octets bytea)
-- No row if the lease is over, or the file is to be kept no more.
INSERT INTO media_chunk (organization_id, message_id, number, octets)
SELECT organization_id, message_id, $4, $5
FROM media_file
WHERE organization_id = $1 AND message_id = $2 AND lease = $3
FOR KEY SHARE

-- name: drop_chunks write(organization_id uuid, message_id uuid, lease uuid, most int8)
-- Of an attempt before. None if the lease is over: they may be those of a later one.
DELETE FROM media_chunk
WHERE organization_id = $1 AND message_id = $2
  AND EXISTS (SELECT FROM media_file WHERE organization_id = $1 AND message_id = $2 AND lease = $3)
  AND number IN (
    SELECT number FROM media_chunk WHERE organization_id = $1 AND message_id = $2 ORDER BY number LIMIT $4)

-- name: look read()
SELECT (SELECT count(*) FROM (SELECT FROM media_file WHERE state = 'Waiting' ORDER BY created_at LIMIT 10000) w) AS waiting,
  coalesce(extract(epoch FROM now() - (SELECT min(created_at) FROM media_file WHERE state = 'Waiting')), 0)::float8
    AS oldest_seconds,
  (SELECT count(*) FROM (SELECT FROM media_garbage ORDER BY due_at LIMIT 10000) g) AS garbage,
  EXISTS (SELECT FROM media_file WHERE state = 'Waiting' AND due_at <= now()) AS due

-- name: lock_use write(organization_id uuid, message_id uuid, lease uuid)
-- Before `reserve`, in the same transaction: files of an organization take their room one after the other. Locks the file
-- first, as whoever deletes it does.
INSERT INTO media_use AS u (organization_id)
SELECT organization_id FROM media_file WHERE organization_id = $1 AND message_id = $2 AND lease = $3
FOR NO KEY UPDATE
ON CONFLICT (organization_id) DO UPDATE SET octets = u.octets

-- name: reserve write(organization_id uuid, message_id uuid, lease uuid, octets int8, usual_mib int8)
-- Room for the whole file, before its first octet is stored. No row if the lease is over; `fits` says whether there is room.
UPDATE media_file f SET octets = CASE WHEN r.fits THEN $4 END
FROM (SELECT u.octets - coalesce(o.octets, 0) + $4 <= coalesce(q.most, $5) * 1048576 AS fits
      FROM media_file o
        JOIN media_use u ON u.organization_id = $1
        LEFT JOIN quota q ON q.organization_id = $1 AND q.name = 'media-mib'
      WHERE o.organization_id = $1 AND o.message_id = $2) r
WHERE f.organization_id = $1 AND f.message_id = $2 AND f.lease = $3
RETURNING r.fits

-- name: keep write(organization_id uuid, message_id uuid, lease uuid, sha256 bytea, mime_type text)
UPDATE media_file SET state = 'Kept', kept_at = now(), lease = NULL, sha256 = $4, mime_type = $5
WHERE organization_id = $1 AND message_id = $2 AND lease = $3

-- name: give_up write(organization_id uuid, message_id uuid, lease uuid, reason text)
WITH gone AS (
  DELETE FROM media_chunk c USING media_file f
  WHERE f.organization_id = $1 AND f.message_id = $2 AND f.lease = $3 AND c.organization_id = $1 AND c.message_id = $2)
UPDATE media_file SET state = 'Missing', reason = $4, lease = NULL, octets = NULL, place = NULL
WHERE organization_id = $1 AND message_id = $2 AND lease = $3

-- name: again write(organization_id uuid, message_id uuid, lease uuid, pause_milliseconds int8)
-- Its room is others' until then.
WITH gone AS (
  DELETE FROM media_chunk c USING media_file f
  WHERE f.organization_id = $1 AND f.message_id = $2 AND f.lease = $3 AND c.organization_id = $1 AND c.message_id = $2)
UPDATE media_file SET lease = NULL, octets = NULL, due_at = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND message_id = $2 AND lease = $3

-- name: discard write(organization_id uuid, message_id uuid)
-- What an attempt has put into the bucket after its file's row was removed.
INSERT INTO media_garbage (object_key, due_at)
SELECT $1 || '/' || $2, now()
WHERE NOT EXISTS (SELECT FROM media_file WHERE organization_id = $1 AND message_id = $2)
ON CONFLICT DO NOTHING

-- name: take_garbage write(most int8, lease_seconds int8)
UPDATE media_garbage SET due_at = now() + $2 * interval '1 second'
WHERE object_key IN (SELECT object_key FROM media_garbage WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING object_key

-- name: forget_garbage write(object_key text)
DELETE FROM media_garbage WHERE object_key = $1
