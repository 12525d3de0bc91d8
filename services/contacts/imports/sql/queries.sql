-- name: find read(organization_id uuid, id uuid)
SELECT /*include answer*/, errors
FROM import
WHERE organization_id = $1 AND id = $2 AND (status <> 'Uploading' OR lease_until > now())

-- name: page read(organization_id uuid, status text, after uuid, per_page int8, skip int8)
SELECT /*include answer*/
FROM import
WHERE organization_id = $1 AND (status <> 'Uploading' OR lease_until > now())
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/
  /*if after*/ /*if descending*/ AND id < $3 /*else*/ AND id > $3 /*end*/ /*else*/ AND $3::uuid IS NULL /*end*/
ORDER BY id /*if descending*/ DESC /*end*/
LIMIT $4 OFFSET $5

-- name: count read(organization_id uuid, status text)
SELECT count(*)
FROM import
WHERE organization_id = $1 AND (status <> 'Uploading' OR lease_until > now())
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/

-- name: chunk read(organization_id uuid, import_id uuid, number int4)
SELECT octets FROM import_chunk WHERE organization_id = $1 AND import_id = $2 AND number = $3

-- name: headers read(organization_id uuid, id uuid)
SELECT headers FROM import WHERE organization_id = $1 AND id = $2 AND (status <> 'Uploading' OR lease_until > now())

-- name: failed_chunk read(organization_id uuid, import_id uuid, after int8)
SELECT line, rows FROM import_failed WHERE organization_id = $1 AND import_id = $2 AND line > $3 ORDER BY line LIMIT 1

-- name: fence write(organization_id uuid, id uuid, owner uuid, position int8)
-- No row if another worker has the import or it was cancelled: the transaction must then be rolled back.
SELECT id FROM import
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND position = $4 AND status = 'Running'
FOR UPDATE

-- name: known_list write(organization_id uuid, list_id uuid)
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR KEY SHARE

-- name: tagged_much write(organization_id uuid, contact_ids uuid[], most int8)
-- Contacts with $3 or more tags.
SELECT given.id
FROM unnest($2) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM contact_tag x WHERE x.organization_id = $1 AND x.contact_id = given.id LIMIT $3) x) >= $3

-- name: with_phones write(organization_id uuid, phones text[])
SELECT id, phone FROM contact WHERE organization_id = $1 AND phone = ANY ($2)

-- name: add_contacts write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[])
-- Inserts in the order of phones, as all multi-row inserts do, to avoid deadlocks.
INSERT INTO contact (organization_id, id, name, phone, attributes)
SELECT $1, new.id, new.name, new.phone, new.attributes
FROM unnest($2, $3, $4, $5) AS new(id, name, phone, attributes)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO NOTHING
RETURNING id

-- name: add_members write(organization_id uuid, list_id uuid, phones text[])
-- Locks the contacts against deletion, in the order of all writers of members. Each is looked up by itself, in the order of
-- the index: joins, planned while there were few contacts, would compare each with all phones.
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, $2, member.id
FROM (SELECT f.id
      FROM unnest($3) AS given(phone) CROSS JOIN LATERAL (
        SELECT f.phone, f.id FROM contact f
        WHERE f.organization_id = $1 AND f.phone >= given.phone
        ORDER BY f.phone LIMIT 1) f
      WHERE f.phone = given.phone
      ORDER BY f.id) wanted
  CROSS JOIN LATERAL (
    SELECT c.id FROM contact c
    WHERE c.organization_id = $1 AND c.id >= wanted.id
    ORDER BY c.id LIMIT 1 FOR KEY SHARE) member
WHERE member.id = wanted.id
ON CONFLICT DO NOTHING

-- name: merge_contacts write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[], most_octets int4)
-- As add_contacts; merges name, unless empty, and attributes into existing contacts. No row if these would be too long.
INSERT INTO contact AS c (organization_id, id, name, phone, attributes)
SELECT $1, new.id, new.name, new.phone, new.attributes
FROM unnest($2, $3, $4, $5) AS new(id, name, phone, attributes)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO UPDATE
SET name = CASE WHEN excluded.name = '' THEN c.name ELSE excluded.name END,
  attributes = c.attributes || excluded.attributes
WHERE octet_length((c.attributes || excluded.attributes)::text) <= $6
RETURNING c.id, c.phone

-- name: open write(organization_id uuid, id uuid, list_id uuid, on_conflict text, country text, delimiter text, guarded bool, headers text[], targets text[], position int8, line int8, upload_seconds int8, most_open int8)
-- No row if the organization has $13 unfinished imports.
INSERT INTO import (organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, position, line,
  lease_until)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + $12 * interval '1 second'
WHERE $13 > (SELECT count(*) FROM import i
             WHERE i.organization_id = $1 AND i.status IN ('Uploading', 'Queued', 'Running')
               AND (i.status <> 'Uploading' OR i.lease_until > now()))

-- name: tag_contacts write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
-- Ignores ids without a contact: rows whose contact existed and was skipped.
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, bearer.contact_id, bearer.tag_id
FROM (SELECT c.id AS contact_id, given.tag_id
      FROM unnest($2, $3) AS given(contact_id, tag_id) JOIN contact c ON c.organization_id = $1 AND c.id = given.contact_id
      ORDER BY c.id, given.tag_id FOR KEY SHARE OF c) bearer
ON CONFLICT DO NOTHING

-- name: advance write(organization_id uuid, id uuid, owner uuid, lease_seconds int8, position int8, line int8, rows_read int8, imported int8,
--   updated int8, skipped int8, failed int8, tags text[], errors jsonb, failed_kept int8, failed_octets int8)
-- NULL tags or errors keep the stored ones.
UPDATE import SET position = $5, line = $6, rows_read = $7, imported = $8, updated = $9, skipped = $10, failed = $11,
  tags = coalesce($12, tags), errors = coalesce($13, errors), attempts = 0, lease_until = now() + $4 * interval '1 second',
  failed_kept = $14, failed_octets = $15, served_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2 AND owner = $3

-- name: keep_failed write(organization_id uuid, import_id uuid, lines int8[], chunks text[])
INSERT INTO import_failed (organization_id, import_id, line, rows)
SELECT $1, $2, chunk.line, chunk.rows FROM unnest($3, $4) AS chunk(line, rows)

-- name: cancel write(organization_id uuid, id uuid)
-- Waits for the current batch, which holds the row.
UPDATE import SET status = 'Cancelled', finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2
  AND (status IN ('Queued', 'Running') OR (status = 'Uploading' AND lease_until > now()))

-- name: claim write(owner uuid, lease_seconds int8)
-- Takes the organization served longest ago. Its imports run in order, so that the later one wins.
UPDATE import SET status = 'Running', owner = $1, lease_until = now() + $2 * interval '1 second', attempts = attempts + 1,
  served_at = clock_timestamp()
WHERE (organization_id, id) = (
  SELECT i.organization_id, i.id FROM import i
  WHERE /*include due*/
  ORDER BY (SELECT max(s.served_at) FROM import s WHERE s.organization_id = i.organization_id), i.id LIMIT 1
  FOR UPDATE SKIP LOCKED)
RETURNING organization_id, id, list_id, on_conflict, country, delimiter, guarded, headers, targets, size, attempts, position, line,
  rows_read, imported, updated, skipped, failed, failed_kept, failed_octets, tags, errors

-- name: discard write(organization_id uuid, id uuid)
-- Expires the upload; the sweep removes its data.
UPDATE import SET lease_until = '-infinity'
WHERE organization_id = $1 AND id = $2 AND status = 'Uploading'

-- name: enqueue write(organization_id uuid, id uuid)
UPDATE import SET status = 'Queued', lease_until = now()
WHERE organization_id = $1 AND id = $2 AND status = 'Uploading' AND lease_until > now()
RETURNING id

-- name: finish write(organization_id uuid, id uuid, owner uuid, position int8, status text, failure text)
UPDATE import SET status = $5, failure = $6, finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND position = $4 AND status = 'Running'

-- name: give_way write(organization_id uuid, id uuid, owner uuid)
-- As release, if another organization's import waits. ORDER BY makes the planner use the index of unfinished imports.
UPDATE import SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'
  AND (SELECT i.id FROM import i
       WHERE i.organization_id <> $1 AND /*include due*/
       ORDER BY i.organization_id, i.id LIMIT 1) IS NOT NULL

-- name: release write(organization_id uuid, id uuid, owner uuid)
-- Lets another worker continue at once.
UPDATE import SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'

-- name: stage write(organization_id uuid, id uuid, number int4, octets bytea, chunk_octets int8, upload_seconds int8)
-- Idempotent, for retries. No row if the upload was cancelled or has expired: its chunks may be being removed.
WITH open AS (
  UPDATE import SET size = $3 * $5 + octet_length($4), lease_until = now() + $6 * interval '1 second'
  WHERE organization_id = $1 AND id = $2 AND status = 'Uploading' AND lease_until > now()
  RETURNING id),
staged AS (
  INSERT INTO import_chunk (organization_id, import_id, number, octets)
  SELECT $1, id, $3, $4 FROM open
  ON CONFLICT DO NOTHING)
SELECT id FROM open

-- name: drop_chunks write(organization_id uuid, import_id uuid, below int4)
DELETE FROM import_chunk WHERE organization_id = $1 AND import_id = $2 AND number < $3

-- name: sweep_chunks write(most int4)
-- Chunks of ended imports and expired uploads of all organizations.
DELETE FROM import_chunk
WHERE (organization_id, import_id, number) IN (
  SELECT c.organization_id, c.import_id, c.number
  FROM import i JOIN import_chunk c ON c.organization_id = i.organization_id AND c.import_id = i.id
  WHERE i.status IN ('Finished', 'Failed', 'Cancelled') OR (i.status = 'Uploading' AND i.lease_until <= now())
  LIMIT $1)

-- name: sweep_uploads write(most int4)
-- Expired uploads of all organizations, once their chunks are gone.
DELETE FROM import
WHERE (organization_id, id) IN (
  SELECT i.organization_id, i.id FROM import i
  WHERE i.status = 'Uploading' AND i.lease_until <= now()
    AND NOT EXISTS (SELECT FROM import_chunk c WHERE c.organization_id = i.organization_id AND c.import_id = i.id)
  LIMIT $1
  FOR UPDATE SKIP LOCKED)

-- name: sweep_failed write(days int8, most_octets int8, most int4)
-- Failed rows of all organizations' imports that are due to be forgotten.
WITH due AS MATERIALIZED (/*include forgotten*/)
DELETE FROM import_failed
WHERE (organization_id, import_id, line) IN (
  SELECT f.organization_id, f.import_id, f.line
  FROM due JOIN import_failed f ON f.organization_id = due.organization_id AND f.import_id = due.id
  LIMIT $3)

-- name: sweep_failed_imports write(days int8, most_octets int8, most int4)
-- Imports of all organizations whose failed rows are forgotten.
WITH due AS MATERIALIZED (/*include forgotten*/)
UPDATE import SET failed_kept = 0, failed_octets = 0
WHERE (organization_id, id) IN (
  SELECT due.organization_id, due.id FROM due
  WHERE NOT EXISTS (SELECT FROM import_failed f WHERE f.organization_id = due.organization_id AND f.import_id = due.id)
  LIMIT $3)

-- name: analyze_contacts write()
-- The one column that decides: 0.1 s of however many rows, as PostgreSQL looks at a sample.
ANALYZE (SKIP_LOCKED) contact (organization_id)

-- name: analyze_tags write()
ANALYZE (SKIP_LOCKED) contact_tag (organization_id)

-- name: analyze_members write()
ANALYZE (SKIP_LOCKED) membership (organization_id)
