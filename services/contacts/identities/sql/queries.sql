-- name: lock_known write(organization_id uuid, phones text[], channel_user_ids text[])
-- As known. Also blocks concurrent insertions into membership.
SELECT c.id, c.phone, c.channel_user_id, c.status, f.channel_user_id AS former_user_id
FROM contact c
LEFT JOIN former_channel_user f
  ON f.organization_id = $1 AND f.contact_id = c.id AND f.channel_user_id = ANY ($3)
WHERE c.organization_id = $1
  AND (c.phone = ANY ($2) OR c.channel_user_id = ANY ($3)
       OR c.id = ANY (ARRAY(SELECT contact_id FROM former_channel_user
                            WHERE organization_id = $1 AND channel_user_id = ANY ($3))))
ORDER BY c.id
FOR UPDATE OF c

-- name: lock_people write(organization_id uuid)
-- Serializes per organization the creation, completion and merging of contacts by the channel's data.
SELECT pg_advisory_xact_lock(hashtextextended('contacts.people ' || $1::text, 0)) IS NOT NULL AS held

-- name: lock_spoken write(organization_id uuid, ids uuid[])
-- In the order of ids, as all that locks several contacts.
SELECT id FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))
ORDER BY id
FOR NO KEY UPDATE

-- name: addresses read(organization_id uuid, ids uuid[])
SELECT id, phone, channel_user_id AS "channelUserId", status, name, nullif(status_at, '-infinity') AS "statusAt"
FROM contact
WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: known read(organization_id uuid, phones text[], channel_user_ids text[])
SELECT id, phone, channel_user_id, status, NULL AS former_user_id
FROM contact
WHERE organization_id = $1 AND phone = ANY ($2)
UNION
SELECT id, phone, channel_user_id, status, NULL
FROM contact
WHERE organization_id = $1 AND channel_user_id = ANY ($3)
UNION
SELECT c.id, c.phone, c.channel_user_id, c.status, f.channel_user_id
FROM former_channel_user f
JOIN contact c ON c.organization_id = $1 AND c.id = f.contact_id
WHERE f.organization_id = $1 AND f.channel_user_id = ANY ($3)

-- name: members read(organization_id uuid, list_id uuid, after uuid, most int8)
-- Checks `list` because a deleted list may still have memberships.
SELECT m.contact_id
FROM membership m
WHERE m.organization_id = $1 AND m.list_id = $2 AND m.contact_id > $3
  AND EXISTS (SELECT FROM list l WHERE l.organization_id = $1 AND l.id = $2)
ORDER BY m.contact_id
LIMIT $4

-- name: statuses read(organization_id uuid, ids uuid[])
SELECT id, status FROM contact WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT unnest($2)))

-- name: give_way write()
-- Neither in the lock order of contacts nor of lists: fails and is retried before the deadlock detector runs (1 s).
SELECT set_config('lock_timeout', '200ms', true) AS lock_timeout

-- name: insert_strangers write(organization_id uuid, ids uuid[], names text[], phones text[], channel_user_ids text[], former_user_ids text[])
-- In the order of phones, as all multi-row inserts. A contact that exists by now returns no row.
WITH made AS (
  INSERT INTO contact (organization_id, id, name, phone, channel_user_id)
  SELECT $1, new.id, new.name, new.phone, new.channel_user_id
  FROM unnest($2, $3, $4, $5, $6) AS new(id, name, phone, channel_user_id, former_user_id)
  WHERE NOT EXISTS (SELECT FROM contact c WHERE c.organization_id = $1 AND c.channel_user_id = new.former_user_id)
    AND NOT EXISTS (SELECT FROM former_channel_user f
                    WHERE f.organization_id = $1 AND f.channel_user_id IN (new.channel_user_id, new.former_user_id))
  ORDER BY new.phone, new.channel_user_id
  ON CONFLICT DO NOTHING
  RETURNING id
), remembered AS (
  INSERT INTO former_channel_user (organization_id, channel_user_id, contact_id)
  SELECT $1, new.former_user_id, new.id
  FROM unnest($2, $6) AS new(id, former_user_id) JOIN made USING (id)
  WHERE new.former_user_id IS NOT NULL
)
SELECT id FROM made

-- name: move_former_users write(organization_id uuid, from_id uuid, into_id uuid)
UPDATE former_channel_user SET contact_id = $3 WHERE organization_id = $1 AND contact_id = $2

-- name: remember_users write(organization_id uuid, id uuid, channel_user_id text, former_user_id text)
-- A former id that became the present one again is no former one.
WITH present AS (DELETE FROM former_channel_user WHERE organization_id = $1 AND channel_user_id = $3)
INSERT INTO former_channel_user (organization_id, channel_user_id, contact_id)
SELECT $1, $4, $2 WHERE $4 IS NOT NULL
ON CONFLICT (organization_id, channel_user_id) DO UPDATE SET contact_id = EXCLUDED.contact_id

-- name: move_memberships write(organization_id uuid, from_id uuid, into_id uuid, list_ids uuid[])
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, m.list_id, $3
FROM membership m
WHERE m.organization_id = $1 AND m.contact_id = $2 AND m.list_id = ANY ($4)
ORDER BY m.list_id
ON CONFLICT DO NOTHING
RETURNING list_id

-- name: move_tags write(organization_id uuid, from_id uuid, into_id uuid)
-- Joins `tag` because a deleted tag may still have rows in contact_tag.
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT $1, $3, held.id
FROM (SELECT t.id
      FROM contact_tag x JOIN tag t ON t.organization_id = $1 AND t.id = x.tag_id
      WHERE x.organization_id = $1 AND x.contact_id = $2
      ORDER BY t.id FOR KEY SHARE OF t) held
ON CONFLICT DO NOTHING

-- name: tell_statuses write()
-- Emits all known statuses again, one change per contact, as each has its own time.
INSERT INTO outbox (changes)
SELECT jsonb_agg(jsonb_build_object('type', 'contact.status', 'organizationId', organization_id,
                                    'contactIds', jsonb_build_array(id), 'status', status,
                                    'at', to_char(status_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                 ORDER BY n)
FROM (SELECT *, row_number() OVER (ORDER BY organization_id, id) AS n FROM contact WHERE status_at > '-infinity') c
GROUP BY n / 500

-- name: forget_user write(organization_id uuid, id uuid)
UPDATE contact SET channel_user_id = NULL WHERE organization_id = $1 AND id = $2

-- name: identify write(organization_id uuid, id uuid, name text, phone text, channel_user_id text)
-- A name that is only a copy of the number or id is replaced along with it.
UPDATE contact
SET name = CASE WHEN name IN (phone, channel_user_id) THEN coalesce($3, $4, $5, name) ELSE name END,
  phone = $4, channel_user_id = $5
WHERE organization_id = $1 AND id = $2

-- name: opt_in write(organization_id uuid, id uuid, at timestamptz)
-- As opt_out.
UPDATE contact SET status = CASE WHEN status = 'OptedOut' THEN 'Active' ELSE status END, status_at = $3
WHERE organization_id = $1 AND id = $2 AND status_at <= $3

-- name: opt_out write(organization_id uuid, id uuid, at timestamptz)
-- Takes the time even if a stronger status stays, so that no older word of either side applies afterwards.
UPDATE contact SET status = CASE WHEN status IN ('Active', 'Inactive') THEN 'OptedOut' ELSE status END, status_at = $3
WHERE organization_id = $1 AND id = $2 AND status_at <= $3
