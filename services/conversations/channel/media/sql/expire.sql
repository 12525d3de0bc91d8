-- write(days int4, most int8)
-- A file has at most some hundred chunks. Of one organization, so that no two steps wait for each other's media_use.
WITH old AS (
  SELECT organization_id, message_id
  FROM media_file
  WHERE state = 'Kept' AND kept_at < now() - make_interval(days => $1)
    AND organization_id = (SELECT organization_id FROM media_file
                           WHERE state = 'Kept' AND kept_at < now() - make_interval(days => $1)
                           ORDER BY kept_at LIMIT 1)
  ORDER BY kept_at LIMIT $2
  FOR NO KEY UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM media_chunk c USING old WHERE c.organization_id = old.organization_id AND c.message_id = old.message_id
)
UPDATE media_file f SET state = 'Missing', reason = 'Expired', kept_at = NULL, octets = NULL, place = NULL
FROM old
WHERE f.organization_id = old.organization_id AND f.message_id = old.message_id
