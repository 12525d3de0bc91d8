-- name: find read(organization_id uuid, id uuid)
SELECT /*include reply*/ FROM quick_reply q WHERE q.organization_id = $1 AND q.id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include reply*/ FROM quick_reply q WHERE q.organization_id = $1 AND q.id = $2 FOR NO KEY UPDATE

-- name: page read(organization_id uuid, search text, after text, per_page int8, skip int8)
SELECT /*include reply*/
FROM quick_reply q
WHERE /*include matching*/
  /*if after*/ AND lower(q.shortcut) /*if descending*/ < /*else*/ > /*end*/ $3 /*end*/
ORDER BY lower(q.shortcut) /*if descending*/ DESC /*end*/
LIMIT $4 OFFSET $5

-- name: count read(organization_id uuid, search text)
SELECT count(*) FROM quick_reply q WHERE /*include matching*/

-- name: named write(organization_id uuid, shortcut text)
SELECT /*include reply*/ FROM quick_reply q WHERE q.organization_id = $1 AND lower(q.shortcut) = lower($2)

-- name: insert write(organization_id uuid, id uuid, shortcut text, text text, media text)
-- No row if the shortcut is taken.
INSERT INTO quick_reply AS q (organization_id, id, shortcut, text, media) VALUES ($1, $2, $3, $4, $5::jsonb)
ON CONFLICT (organization_id, lower(shortcut)) DO NOTHING
RETURNING /*include reply*/

-- name: update write(organization_id uuid, id uuid, shortcut text, text text, media text)
UPDATE quick_reply q SET shortcut = $3, text = $4, media = $5::jsonb, updated_at = now()
WHERE q.organization_id = $1 AND q.id = $2
RETURNING /*include reply*/

-- name: remove write(organization_id uuid, id uuid)
DELETE FROM quick_reply WHERE organization_id = $1 AND id = $2
