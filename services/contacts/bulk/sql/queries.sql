-- name: find read(organization_id uuid, id uuid)
SELECT /*include answer*/, errors FROM bulk_change WHERE organization_id = $1 AND id = $2

-- name: page read(organization_id uuid, status text, after uuid, per_page int8, skip int8)
SELECT /*include answer*/
FROM bulk_change
WHERE organization_id = $1
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/
  /*if after*/ /*if descending*/ AND id < $3 /*else*/ AND id > $3 /*end*/ /*else*/ AND $3::uuid IS NULL /*end*/
ORDER BY id /*if descending*/ DESC /*end*/
LIMIT $4 OFFSET $5

-- name: count read(organization_id uuid, status text)
SELECT count(*)
FROM bulk_change
WHERE organization_id = $1
  /*if by_status*/ AND status = $2 /*else*/ AND $2::text IS NULL /*end*/

-- name: newest read(organization_id uuid)
SELECT id FROM contact WHERE organization_id = $1 ORDER BY id DESC LIMIT 1

-- name: tags_named read(organization_id uuid, names text[], ids uuid[])
-- The tag of each name, which is an id or else a label; in the order of the names.
SELECT coalesce((SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = given.id),
  (SELECT t.id FROM tag t WHERE t.organization_id = $1 AND lower(t.label) = lower(given.name))) AS id
FROM unnest($2, $3) WITH ORDINALITY AS given(name, id, n)
ORDER BY n

-- name: insert write(organization_id uuid, id uuid, contacts jsonb, action jsonb, expected int8, until uuid, most_open int8)
-- No row if the organization has $7 that have not ended.
INSERT INTO bulk_change (organization_id, id, contacts, action, expected, until)
SELECT $1, $2, $3, $4, $5, $6
WHERE $7 > (SELECT count(*) FROM bulk_change i WHERE i.organization_id = $1 AND i.status IN ('Queued', 'Running'))

-- name: cancel write(organization_id uuid, id uuid)
-- Waits for the current step, which holds the row.
UPDATE bulk_change SET status = 'Cancelled', finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2 AND status IN ('Queued', 'Running')

-- name: claim write(owner uuid, lease_seconds int8)
-- Takes the organization whose changes or imports were served longest ago. Its changes run in order.
UPDATE bulk_change SET status = 'Running', owner = $1, lease_until = now() + $2 * interval '1 second',
  attempts = attempts + 1, served_at = clock_timestamp()
WHERE (organization_id, id) = (
  SELECT i.organization_id, i.id FROM bulk_change i
  WHERE /*include due*/
  ORDER BY greatest((SELECT max(s.served_at) FROM bulk_change s WHERE s.organization_id = i.organization_id),
      (SELECT max(s.served_at) FROM import s WHERE s.organization_id = i.organization_id)), i.id LIMIT 1
  FOR UPDATE SKIP LOCKED)
RETURNING organization_id, id, contacts, action, expected, until, position, changed, unchanged, failed, errors, attempts

-- name: fence write(organization_id uuid, id uuid, owner uuid, position uuid)
-- No row if another worker has the change or it was cancelled: the transaction must then be rolled back.
SELECT id FROM bulk_change
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND position = $4 AND status = 'Running'
FOR UPDATE

-- name: advance write(organization_id uuid, id uuid, owner uuid, lease_seconds int8, position uuid, changed int8, unchanged int8, failed int8, errors jsonb)
-- NULL errors keep the stored ones.
UPDATE bulk_change SET position = $5, changed = $6, unchanged = $7, failed = $8, errors = coalesce($9, errors),
  attempts = 0, lease_until = now() + $4 * interval '1 second', served_at = clock_timestamp()
WHERE organization_id = $1 AND id = $2 AND owner = $3

-- name: finish write(organization_id uuid, id uuid, owner uuid, status text, failure text)
UPDATE bulk_change SET status = $4, failure = $5, finished_at = now(), owner = NULL
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'

-- name: give_way write(organization_id uuid, id uuid, owner uuid)
-- As release, if another organization's change waits. ORDER BY makes the planner use the index of unfinished changes.
UPDATE bulk_change SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'
  AND (SELECT i.id FROM bulk_change i
       WHERE i.organization_id <> $1 AND /*include due*/
       ORDER BY i.organization_id, i.id LIMIT 1) IS NOT NULL

-- name: release write(organization_id uuid, id uuid, owner uuid)
-- Lets another worker continue at once.
UPDATE bulk_change SET lease_until = now(), owner = NULL, attempts = 0
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'

-- name: try_later write(organization_id uuid, id uuid, owner uuid)
-- After an error: later with each attempt.
UPDATE bulk_change SET lease_until = now() + least(60, 2 * attempts) * interval '1 second', owner = NULL
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND status = 'Running'

-- name: sweep write(days int8, most int8)
-- Of all organizations: those that ended long ago.
DELETE FROM bulk_change
WHERE (organization_id, id) IN (
  SELECT organization_id, id FROM bulk_change
  WHERE finished_at < now() - $1 * interval '1 day' ORDER BY finished_at LIMIT $2)

-- name: lock_to_change write(organization_id uuid, ids uuid[])
SELECT id FROM contact WHERE organization_id = $1 AND id = /*include given*/ ORDER BY id FOR NO KEY UPDATE

-- name: lock_to_delete write(organization_id uuid, ids uuid[])
SELECT id FROM contact WHERE organization_id = $1 AND id = /*include given*/ ORDER BY id FOR UPDATE

-- name: hold_lists write(organization_id uuid, ids uuid[])
-- Locks those that exist against deletion.
SELECT id FROM list WHERE organization_id = $1 AND id = /*include given*/ ORDER BY id FOR KEY SHARE

-- name: hold_lists_of write(organization_id uuid, contact_ids uuid[])
-- The same for the lists that contacts are in.
SELECT l.id FROM list l
WHERE l.organization_id = $1
  AND l.id = ANY (ARRAY(SELECT DISTINCT m.list_id FROM membership m
                        WHERE m.organization_id = $1 AND m.contact_id = /*include given*/))
ORDER BY l.id FOR KEY SHARE

-- name: without_room_for_tags write(organization_id uuid, contact_ids uuid[], tag_ids uuid[], most int8)
-- Contacts that would have more than $4 tags.
SELECT given.id
FROM unnest($2) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM contact_tag x
             WHERE x.organization_id = $1 AND x.contact_id = given.id AND x.tag_id <> ALL ($3)
             LIMIT $4) x) + cardinality($3) > $4
ORDER BY given.id

-- name: without_room_for_lists write(organization_id uuid, contact_ids uuid[], list_ids uuid[], most int8)
-- Contacts that would be in more than $4 lists. Checks `list` because a deleted list may still have memberships.
SELECT given.id
FROM unnest($2) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM membership m
             WHERE m.organization_id = $1 AND m.contact_id = given.id AND m.list_id <> ALL ($3)
               AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = m.list_id)
             LIMIT $4) m) + cardinality($3) > $4
ORDER BY given.id

-- name: add_tags write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, c.id, t.id
FROM unnest($2) AS c(id) CROSS JOIN unnest($3) AS t(id)
ORDER BY c.id, t.id
ON CONFLICT DO NOTHING
RETURNING contact_id

-- name: remove_tags write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
DELETE FROM contact_tag
WHERE organization_id = $1 AND contact_id = /*include given*/ AND tag_id = ANY (ARRAY(SELECT unnest($3)))
RETURNING contact_id

-- name: join_lists write(organization_id uuid, contact_ids uuid[], list_ids uuid[])
-- Sorted to avoid deadlocks with other writers.
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, l.id, c.id
FROM unnest($2) AS c(id) CROSS JOIN unnest($3) AS l(id)
ORDER BY l.id, c.id
ON CONFLICT DO NOTHING
RETURNING list_id, contact_id

-- name: leave_lists write(organization_id uuid, contact_ids uuid[], list_ids uuid[])
DELETE FROM membership
WHERE organization_id = $1 AND contact_id = /*include given*/ AND list_id = ANY (ARRAY(SELECT unnest($3)))
RETURNING list_id, contact_id

-- name: set_status write(organization_id uuid, contact_ids uuid[], status text)
-- All at one time, after those of their statuses before, even if the clock has gone back.
UPDATE contact c
SET status = $3, status_at = (
  SELECT greatest(date_trunc('milliseconds', clock_timestamp()), max(o.status_at) + interval '1 millisecond')
  FROM contact o
  WHERE o.organization_id = $1 AND o.id = /*include given*/)
WHERE c.organization_id = $1 AND c.id = /*include given*/ AND c.status <> $3
RETURNING c.id, c.status_at AS said_at

-- name: without_room_for_attribute write(organization_id uuid, contact_ids uuid[], attribute text, value jsonb, most_octets int4)
-- Contacts whose attributes would be longer than $5 octets with this one.
SELECT c.id
FROM contact c
WHERE c.organization_id = $1 AND c.id = /*include given*/ AND c.attributes -> $3 IS DISTINCT FROM $4
  AND octet_length((c.attributes || jsonb_build_object($3, $4))::text) > $5
ORDER BY c.id

-- name: set_attribute write(organization_id uuid, contact_ids uuid[], attribute text, value jsonb, most_octets int4)
UPDATE contact c SET attributes = c.attributes || jsonb_build_object($3, $4)
WHERE c.organization_id = $1 AND c.id = /*include given*/ AND c.attributes -> $3 IS DISTINCT FROM $4
  AND octet_length((c.attributes || jsonb_build_object($3, $4))::text) <= $5
RETURNING c.id

-- name: remove_attribute write(organization_id uuid, contact_ids uuid[], attribute text)
UPDATE contact c SET attributes = c.attributes - $3
WHERE c.organization_id = $1 AND c.id = /*include given*/ AND c.attributes ? $3
RETURNING c.id

-- name: delete_contacts write(organization_id uuid, ids uuid[])
DELETE FROM contact WHERE organization_id = $1 AND id = /*include given*/ RETURNING id
