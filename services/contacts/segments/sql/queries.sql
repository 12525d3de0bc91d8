-- name: find read(organization_id uuid, id uuid)
SELECT /*include columns*/, version::text FROM segment WHERE organization_id = $1 AND id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include columns*/, version::text FROM segment WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: count read(organization_id uuid, search text)
SELECT count(*) FROM segment WHERE /*include matching*/

-- name: known read(organization_id uuid, tag_ids uuid[], list_ids uuid[])
-- Those that exist, sorted.
SELECT ARRAY(SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = ANY (ARRAY(SELECT unnest($2))) ORDER BY t.id)
    AS tag_ids,
  ARRAY(SELECT l.id FROM list l WHERE l.organization_id = $1 AND l.id = ANY (ARRAY(SELECT unnest($3))) ORDER BY l.id)
    AS list_ids

-- name: known_segments read(organization_id uuid, ids uuid[])
SELECT id FROM segment WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: to_use read(organization_id uuid, ids uuid[])
-- The filters of those that exist. is_large as in contacts/sql/is_large.fragment.
SELECT ARRAY(SELECT s.filter::text FROM segment s WHERE s.organization_id = $1 AND s.id = ANY (ARRAY(SELECT unnest($2)))
             ORDER BY s.id) AS filters,
  coalesce((SELECT coalesce(sum(y.contacts), 0) * 4 FROM tally y
            WHERE y.organization_id = $1 AND y.list_id = '00000000-0000-0000-0000-000000000000')
    > (SELECT reltuples FROM pg_class WHERE oid = 'contact'::regclass), false) AS is_large,
  coalesce((SELECT v.changes FROM activity_version v WHERE v.organization_id = $1), 0) AS activity,
  ARRAY(SELECT i.kind || ' ' || i.name FROM indexed_attribute i WHERE /*include usable*/) AS indexes,
  ARRAY(SELECT i.id FROM indexed_attribute i WHERE /*include usable*/) AS index_ids

-- name: insert write(organization_id uuid, id uuid, name text, description text, filter jsonb)
-- No row if the name is taken.
INSERT INTO segment (organization_id, id, name, description, filter) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization_id, lower(name)) DO NOTHING
RETURNING /*include columns*/

-- name: named write(organization_id uuid, name text)
SELECT id FROM segment WHERE organization_id = $1 AND lower(name) = lower($2)

-- name: update write(organization_id uuid, id uuid, name text, description text, filter jsonb)
UPDATE segment SET name = coalesce($3, name), description = coalesce($4, description), filter = coalesce($5, filter)
WHERE organization_id = $1 AND id = $2
RETURNING /*include columns*/

-- name: delete_segment write(organization_id uuid, id uuid)
DELETE FROM segment WHERE organization_id = $1 AND id = $2

-- name: examined slow(organization_id uuid, most int8)
SELECT count(*) FROM (SELECT FROM contact WHERE organization_id = $1 LIMIT $2) c
