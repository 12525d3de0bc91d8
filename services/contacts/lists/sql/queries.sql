-- name: find read(organization_id uuid, id uuid)
-- The tally counts changes of members. The epoch keeps a restored database from reusing versions.
SELECT /*include columns*/,
  (l.version + coalesce((SELECT sum(y.changes) FROM tally y
                         WHERE y.organization_id = $1 AND y.list_id = l.id), 0))::text
    || '.' || (SELECT f.epoch FROM feed_now() f) AS version
FROM list l
WHERE l.organization_id = $1 AND l.id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE

-- name: lock_contacts write(organization_id uuid, ids uuid[])
-- Locks the existing contacts against deletion, in the order that all transactions use.
SELECT id FROM contact WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2))) ORDER BY id FOR KEY SHARE

-- name: lock_to_delete write(organization_id uuid, id uuid)
-- Waits for transactions that add members; these lock the list before the tally, and so must the deletion.
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: count read(organization_id uuid, search text, tag_id uuid, tag_label text)
SELECT
  (SELECT coalesce(sum(changes), 0)::int8 FROM tally
   WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000') AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch,
  (SELECT count(*) FROM list l WHERE /*include matching*/) AS count

-- name: known read(organization_id uuid, ids uuid[])
SELECT id FROM list WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: version read(organization_id uuid)
SELECT coalesce(sum(changes), 0)::int8 AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch
FROM tally
WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000'

-- name: full write(organization_id uuid, list_id uuid, contact_ids uuid[], most int8)
-- Contacts in $4 or more lists and not in this one. Checks `list` because a deleted list may still have memberships.
SELECT given.id
FROM unnest($3) AS given(id)
WHERE (SELECT count(*)
       FROM (SELECT FROM membership m
             WHERE m.organization_id = $1 AND m.contact_id = given.id
               AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = m.list_id)
             LIMIT $4) m) >= $4
  AND (SELECT true FROM membership m
       WHERE m.organization_id = $1 AND m.list_id = $2 AND m.contact_id = given.id) IS NULL
ORDER BY given.id

-- name: add_campaign write(organization_id uuid, list_ids uuid[], campaign_id uuid)
-- Returns the lists that the campaign was not counted for yet. Locks lists in the common order; skips deleted ones.
INSERT INTO list_campaign (organization_id, list_id, campaign_id)
SELECT $1, l.id, $3
FROM (SELECT id FROM list WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE) l
ON CONFLICT DO NOTHING
RETURNING list_id

-- name: add_to_tally write(organization_id uuid, list_id uuid, slot int4, contacts int8)
-- Adds to the first row that no other transaction holds, else to that of the given slot: writers hardly ever wait for
-- each other, and there are as many rows as there were writers at a time. The first one of all has slot 0.
INSERT INTO tally AS t (organization_id, list_id, slot, contacts, changes)
SELECT $1, $2, coalesce(
    (SELECT slot FROM tally WHERE organization_id = $1 AND list_id = $2 ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
    (SELECT $3::int4 FROM tally WHERE organization_id = $1 AND list_id = $2 LIMIT 1), 0), $4, 1
ON CONFLICT (organization_id, list_id, slot)
DO UPDATE SET contacts = t.contacts + excluded.contacts, changes = t.changes + 1

-- name: insert_list write(organization_id uuid, id uuid, name text, description text)
INSERT INTO list (organization_id, id, name, description) VALUES ($1, $2, $3, $4)

-- name: insert_list_tags write(organization_id uuid, list_id uuid, tag_ids uuid[])
INSERT INTO list_tag (organization_id, list_id, tag_id)
SELECT $1, $2, tag_id FROM unnest($3) AS t(tag_id) ORDER BY tag_id
ON CONFLICT DO NOTHING

-- name: insert_members write(organization_id uuid, list_id uuid, contact_ids uuid[])
-- Sorted to avoid deadlocks with other writers.
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, $2, contact_id FROM unnest($3) AS c(contact_id) ORDER BY contact_id
ON CONFLICT DO NOTHING

-- name: count_campaign write(organization_id uuid, list_ids uuid[])
UPDATE list SET campaigns_sent = campaigns_sent + 1 WHERE organization_id = $1 AND id = ANY ($2)

-- name: update_list write(organization_id uuid, id uuid, name text, description text)
UPDATE list SET name = coalesce($3, name), description = coalesce($4, description) WHERE organization_id = $1 AND id = $2

-- name: delete_list write(organization_id uuid, id uuid)
DELETE FROM list WHERE organization_id = $1 AND id = $2

-- name: delete_members write(organization_id uuid, list_id uuid, contact_ids uuid[])
DELETE FROM membership
WHERE organization_id = $1 AND list_id = $2 AND contact_id = ANY (ARRAY(SELECT unnest($3)))

-- name: delete_other_tags write(organization_id uuid, list_id uuid, tag_ids uuid[])
DELETE FROM list_tag WHERE organization_id = $1 AND list_id = $2 AND tag_id <> ALL ($3)

-- name: delete_tally write(organization_id uuid, list_id uuid)
DELETE FROM tally WHERE organization_id = $1 AND list_id = $2
