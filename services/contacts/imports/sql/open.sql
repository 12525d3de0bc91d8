-- write(organization_id uuid, id uuid, list_id uuid, on_conflict text, country text, delimiter text, guarded bool, headers text[], targets text[], position int8, line int8, upload_seconds int8, most_open int8)
-- No row when too many are under way already.
INSERT INTO import (organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, position, line,
  lease_until)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 second'
WHERE $13 > (SELECT count(*) FROM import i
             WHERE i.organization_id = $1 AND i.status IN ('Uploading', 'Queued', 'Running')
               AND (i.status <> 'Uploading' OR i.lease_until > now()))
