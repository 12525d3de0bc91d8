-- name: find read(organization_id uuid, id uuid)
/*include found*/
WHERE c.organization_id = $1 AND c.id = $2

-- name: find_several read(organization_id uuid, ids uuid[])
-- The subquery hides the number of ids: the planner would otherwise replan whenever it is small.
/*include found*/
WHERE c.organization_id = $1 AND c.id = ANY (ARRAY(SELECT unnest($2)))

-- name: lock_lists write(organization_id uuid, ids uuid[], contact_id uuid)
-- Locks the given lists that exist and the contact's lists against deletion, in the order that all transactions use.
SELECT id FROM list
WHERE organization_id = $1
  AND (id = ANY (ARRAY(SELECT unnest($2)))
    OR id IN (SELECT list_id FROM membership WHERE organization_id = $1 AND contact_id = $3))
ORDER BY id FOR KEY SHARE

-- name: lock_to_change write(organization_id uuid, id uuid)
-- Does not conflict with concurrent insertions into membership.
SELECT version::text FROM contact WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE

-- name: lock_to_delete write(organization_id uuid, id uuid)
-- Blocks concurrent insertions into membership.
SELECT version::text FROM contact WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: page read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
-- The inner LIMIT is the longest page: the planner takes an unknown one for a tenth of the table, and keeps replanning.
SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
  /*include belonging*/
FROM (SELECT * FROM (SELECT c.* /*include next*/) c LIMIT $7) c
  /*include its_lists*/

-- name: choose_indexed read(organization_id uuid, list_id uuid, tag_id uuid, status text, after uuid, after_name text, per_page int8, skip int8)
-- As choose, for what one index has in order: the contacts of statement `page`.
SELECT set_config('parley.chosen', ARRAY(SELECT id FROM (SELECT c.id /*include next*/) page LIMIT $7)::text, true)
  IS NOT NULL AS done, NULL::int8 AS total

-- name: chosen read(organization_id uuid, ids uuid[])
-- The contacts with these ids, in this order; without ids, the selection of choose in this transaction. Here and in the next
-- ones each is looked up by itself, with a range in the order of the right index: see belonging. A join's plan would read all
-- of an organization that is new to the statistics.
SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
  /*include belonging*/
FROM unnest(/*include chosen*/) WITH ORDINALITY AS wanted (id, n)
  CROSS JOIN LATERAL (SELECT * FROM contact
                      WHERE organization_id = $1 AND id BETWEEN wanted.id AND wanted.id ORDER BY id OFFSET 0) c
  /*include its_lists*/
ORDER BY wanted.n

-- name: chosen_ids read()
SELECT unnest(current_setting('parley.chosen', true)::uuid[]) AS id

-- name: chosen_tags read(organization_id uuid, ids uuid[])
SELECT t.label, t.id AS "uniqueId"
FROM (SELECT DISTINCT x.tag_id
      FROM unnest(/*include chosen*/) AS wanted (id)
        CROSS JOIN LATERAL (SELECT y.tag_id FROM contact_tag y
                            WHERE y.organization_id = $1 AND y.contact_id BETWEEN wanted.id AND wanted.id
                            ORDER BY y.contact_id, y.tag_id OFFSET 0) x) seen
  CROSS JOIN LATERAL (SELECT * FROM tag WHERE organization_id = $1 AND id = seen.tag_id OFFSET 0) t

-- name: export_end slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], after uuid, walked int8)
-- The last contact that the step of export_rows walked; no row if it was the last step.
SELECT id FROM (SELECT c.id /*include walk_ids*/ ORDER BY c.id LIMIT $10) c ORDER BY id LIMIT 1 OFFSET $10 - 1

-- name: walk_matching slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], after uuid, walked int8, segment text[])
-- Those that match among the next $10 contacts in order of creation, as in export_rows.
SELECT c.id
FROM (SELECT c.* /*include walk_ids*/ ORDER BY c.id LIMIT $10) c
WHERE true
  /*include passing*/ /*segment step $11*/
  /*if by_list*/ /*if by_tag*/ /*include tagged*/ /*end*/ /*end*/
ORDER BY c.id

-- name: still_matching write(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], ids uuid[], segment text[])
-- Those of these contacts that match.
SELECT c.id
FROM (SELECT * FROM contact WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($9)))) c
WHERE true
  /*include passing*/ /*segment step $10*/
  /*if by_list*/ /*include in_list*/ /*end*/
  /*if by_tag*/ /*include tagged*/ /*end*/
ORDER BY c.id

-- name: summaries read(organization_id uuid, ids uuid[])
-- The subquery hides the number of ids: the planner would otherwise replan whenever it is small.
SELECT id AS "uniqueId", name, coalesce(phone, '') AS phone, attributes, created_at AS "createdAt", status
FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: tag_labels read(organization_id uuid, ids uuid[])
-- The subquery hides the number of ids: the planner would otherwise replan whenever it is small.
SELECT label, id AS "uniqueId"
FROM tag
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: prepare_count slow(memory text, time text)
-- For the rest of the batch. With less memory the planner asks for tags and lists contact by contact.
SELECT set_config('work_mem', $1, true), set_config('statement_timeout', $2, true)

-- name: tag_named read(organization_id uuid, id uuid, label text)
-- A separate statement, so that the plan of the filtered one can depend on how frequent the tag is.
SELECT coalesce((SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = $2),
  (SELECT t.id FROM tag t WHERE t.organization_id = $1 AND lower(t.label) = lower($3))) AS id

-- name: tally read(organization_id uuid, list_id uuid)
-- Of all contacts only if $2 is NULL: their key, the nil id, may be asked for as if it was a list's. Checks `list` because there
-- is none with that id, and because a deleted list may still have a tally.
SELECT coalesce(sum(contacts) FILTER (
    WHERE list_id = coalesce($2, '00000000-0000-0000-0000-000000000000')
      AND ($2 IS NULL OR EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = $2))), 0)::int8 AS contacts,
  coalesce(sum(changes) FILTER (WHERE list_id = '00000000-0000-0000-0000-000000000000'), 0)::int8 AS version,
  extract(epoch FROM pg_postmaster_start_time())::float8 || ' ' || (SELECT f.epoch FROM feed_now() f) AS epoch,
  /*include catalogue_version*/ AS catalogue
FROM tally
WHERE organization_id = $1 AND list_id IN ($2, '00000000-0000-0000-0000-000000000000')

-- name: with_phones read(organization_id uuid, phones text[])
SELECT phone, id FROM contact WHERE organization_id = $1 AND phone = ANY ($2)

-- name: belongings write(organization_id uuid, contact_id uuid)
-- The rest of a contact's version, without rows of deleted lists and tags. Subqueries by key: with joins the planner
-- hashes whole tables while they are small.
SELECT
  ARRAY(SELECT m.list_id FROM membership m
        WHERE m.organization_id = $1 AND m.contact_id = $2
          AND (SELECT l.id FROM list l WHERE l.organization_id = $1 AND l.id = m.list_id) IS NOT NULL
        ORDER BY m.list_id) AS list_ids,
  ARRAY(SELECT x.tag_id FROM contact_tag x
        WHERE x.organization_id = $1 AND x.contact_id = $2
          AND (SELECT t.id FROM tag t WHERE t.organization_id = $1 AND t.id = x.tag_id) IS NOT NULL
        ORDER BY x.tag_id) AS tag_ids

-- name: has_phone write(organization_id uuid, id uuid, phone text)
-- The stored number may be one from the channel that no numbering plan has, or none.
SELECT coalesce(phone, '') = $3 AS same FROM contact WHERE organization_id = $1 AND id = $2

-- name: insert write(organization_id uuid, ids uuid[], names text[], phones text[], attributes jsonb[], statuses text[], said_at timestamptz)
-- Inserts in the order of phones, as all multi-row inserts do, to avoid deadlocks. A taken number returns no row.
-- Active is the default before any statement about the status, so its time is -infinity.
INSERT INTO contact (organization_id, id, name, phone, attributes, status, status_at)
SELECT $1, new.id, new.name, new.phone, new.attributes, new.status,
  CASE new.status WHEN 'Active' THEN '-infinity' ELSE $7 END
FROM unnest($2, $3, $4, $5, $6) AS new(id, name, phone, attributes, status)
ORDER BY new.phone
ON CONFLICT (organization_id, phone) WHERE phone IS NOT NULL DO NOTHING
RETURNING id

-- name: insert_memberships write(organization_id uuid, list_ids uuid[], contact_ids uuid[])
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, new.list_id, new.contact_id
FROM unnest($2, $3) AS new(list_id, contact_id)
ORDER BY new.list_id, new.contact_id
ON CONFLICT DO NOTHING
RETURNING list_id

-- name: insert_tags write(organization_id uuid, contact_ids uuid[], tag_ids uuid[])
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, new.contact_id, new.tag_id
FROM unnest($2, $3) AS new(contact_id, tag_id)
ORDER BY new.contact_id, new.tag_id
ON CONFLICT DO NOTHING

-- name: update write(organization_id uuid, id uuid, name text, phone text, attributes jsonb, status text)
-- A new status gets a time after that of the status before, even if the clock has gone back.
UPDATE contact c
SET name = coalesce($3, c.name), phone = coalesce($4, c.phone), attributes = coalesce($5, c.attributes),
  status = coalesce($6, c.status),
  status_at = CASE WHEN $6 <> c.status
                   THEN greatest(date_trunc('milliseconds', clock_timestamp()), c.status_at + interval '1 millisecond')
                   ELSE c.status_at END
FROM contact old
WHERE c.organization_id = $1 AND c.id = $2 AND old.organization_id = $1 AND old.id = $2
RETURNING CASE WHEN c.status <> old.status THEN c.status_at END AS said_at

-- name: drop_tags write(organization_id uuid, contact_id uuid, kept_tag_ids uuid[])
DELETE FROM contact_tag WHERE organization_id = $1 AND contact_id = $2 AND tag_id <> ALL ($3)

-- name: leave_lists write(organization_id uuid, contact_id uuid, list_ids uuid[])
DELETE FROM membership
WHERE organization_id = $1 AND contact_id = $2 AND list_id = ANY (ARRAY(SELECT unnest($3)))
RETURNING list_id

-- name: remove write(organization_id uuid, id uuid)
DELETE FROM contact WHERE organization_id = $1 AND id = $2
