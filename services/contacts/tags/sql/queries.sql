-- name: find read(organization_id uuid, id uuid)
SELECT label, id AS "uniqueId", version::text FROM tag WHERE organization_id = $1 AND id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT label, id AS "uniqueId", version::text FROM tag WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE

-- name: lock_to_delete write(organization_id uuid, id uuid)
-- Waits for transactions that assign the tag.
SELECT label, id AS "uniqueId", version::text FROM tag WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: count read(organization_id uuid, search text)
SELECT
  (SELECT coalesce(sum(changes), 0)::int8 FROM tally
   WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000') AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch,
  (SELECT count(*) FROM tag WHERE /*include matching*/) AS count

-- name: known_ids write(organization_id uuid, ids uuid[])
SELECT id FROM tag WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE

-- name: known_labels write(organization_id uuid, names text[])
SELECT wanted.name, t.id
FROM unnest($2) AS wanted(name) JOIN tag t ON t.organization_id = $1 AND lower(t.label) = lower(wanted.name)
ORDER BY t.id
FOR KEY SHARE OF t

-- name: labels write(organization_id uuid, ids uuid[])
SELECT label, id AS "uniqueId" FROM tag WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: named write(organization_id uuid, label text)
SELECT label, id AS "uniqueId" FROM tag WHERE organization_id = $1 AND lower(label) = lower($2)

-- name: ensure write(organization_id uuid, ids uuid[], labels text[])
-- Sorted to avoid deadlocks. The no-op update locks a row that another transaction has inserted meanwhile.
INSERT INTO tag (organization_id, id, label)
SELECT DISTINCT ON (lower(new.label)) $1, new.id, new.label
FROM unnest($2, $3) AS new(id, label)
ORDER BY lower(new.label)
ON CONFLICT (organization_id, lower(label)) DO UPDATE SET label = tag.label

-- name: insert write(organization_id uuid, id uuid, label text)
-- No row if the label exists.
INSERT INTO tag (organization_id, id, label) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, lower(label)) DO NOTHING
RETURNING label, id AS "uniqueId"

-- name: update_label write(organization_id uuid, id uuid, label text)
UPDATE tag SET label = $3 WHERE organization_id = $1 AND id = $2 RETURNING label, id AS "uniqueId"

-- name: delete_tag write(organization_id uuid, id uuid)
-- Cascades to list_tag; rows of contact_tag are removed in the background.
DELETE FROM tag WHERE organization_id = $1 AND id = $2
