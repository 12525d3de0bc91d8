-- name: find_list read(organization_id uuid, kind text, seconds int4)
-- `now` precedes the request to the channel that follows: a webhook applied later is newer than the channel's answer.
SELECT now() AS now, l.business_account_id, l.listed_at > now() - make_interval(secs => $3) AS fresh
FROM (SELECT) one LEFT JOIN channel_list l ON l.organization_id = $1 AND l.kind = $2

-- name: find_templates read(organization_id uuid, business_account_id text, name text)
SELECT language, status, components
FROM template
WHERE organization_id = $1 AND business_account_id = $2 AND name = $3
ORDER BY language

-- name: page read(organization_id uuid, business_account_id text, search text, name text, language text, status text,
--   category text, after_name text, after_language text, after_id text, per_page int8, skip int8)
SELECT /*include columns*/
/*include matching*/
/*if after*/
  AND (t.name, t.language, t.id) /*if descending*/ < /*else*/ > /*end*/ ($8, $9, $10)
/*end*/
/*if descending*/ ORDER BY t.name DESC, t.language DESC, t.id DESC /*else*/ ORDER BY t.name, t.language, t.id /*end*/
LIMIT $11 OFFSET $12

-- name: count read(organization_id uuid, business_account_id text, search text, name text, language text, status text,
--   category text)
SELECT count(*)
/*include matching*/

-- name: phone_numbers read(organization_id uuid, business_account_id text)
SELECT p.id, p.display_phone_number, p.verified_name, p.quality_rating, p.throughput, p.messaging_limit,
  p.registered,
  s.phone_number_id IS NOT NULL AS stopped, s.stopped_until, s.stop_code, s.stop_text
FROM phone_number p
LEFT JOIN LATERAL (
  SELECT phone_number_id, nullif(stopped_until, 'infinity') AS stopped_until, stop_code, stop_text
  FROM sender WHERE organization_id = $1 AND phone_number_id = p.id AND stopped_until > now()
) s ON true
WHERE p.organization_id = $1 AND p.business_account_id = $2
ORDER BY p.id

-- name: save_list write(organization_id uuid, kind text, business_account_id text, listed_at timestamptz)
-- Of what changed while the channel was asked, its answer may know nothing: the list is due again.
INSERT INTO channel_list AS l (organization_id, kind, business_account_id, listed_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, kind) DO UPDATE
SET business_account_id = excluded.business_account_id,
  listed_at = CASE WHEN l.changed_at > excluded.listed_at THEN '-infinity' ELSE excluded.listed_at END

-- name: save_phone_numbers write(organization_id uuid, business_account_id text, ids text[], display_phone_numbers text[], verified_names text[],
--   quality_ratings text[], throughputs text[], registered bool[], messaging_limits text[])
INSERT INTO phone_number (organization_id, id, business_account_id, display_phone_number, verified_name, quality_rating,
  throughput, registered, messaging_limit)
SELECT DISTINCT ON (l.id) $1, l.id, $2, l.display_phone_number, l.verified_name, l.quality_rating, l.throughput,
  l.registered, nullif(l.messaging_limit, '')
FROM unnest($3, $4, $5, $6, $7, $8, $9)
  AS l (id, display_phone_number, verified_name, quality_rating, throughput, registered, messaging_limit)
ON CONFLICT (organization_id, id) DO UPDATE
SET business_account_id = excluded.business_account_id, display_phone_number = excluded.display_phone_number,
  verified_name = excluded.verified_name, quality_rating = excluded.quality_rating, throughput = excluded.throughput,
  registered = excluded.registered, messaging_limit = excluded.messaging_limit

-- name: save_templates write(organization_id uuid, business_account_id text, listed_at timestamptz, ids text[], names text[],
--   languages text[], categories text[], statuses text[], reasons text[], qualities text[], components jsonb[])
-- What was learned of a template since the list was asked for stays.
INSERT INTO template AS t (organization_id, id, business_account_id, name, language, category, status, status_reason,
  quality, components)
SELECT DISTINCT ON (l.id) $1, l.id, $2, l.name, l.language, l.category, l.status, l.reason, l.quality, l.components
FROM unnest($4, $5, $6, $7, $8, $9, $10, $11)
  AS l (id, name, language, category, status, reason, quality, components)
ON CONFLICT (organization_id, id) DO UPDATE
SET business_account_id = excluded.business_account_id, name = excluded.name, language = excluded.language,
  category = excluded.category, components = excluded.components, quality = excluded.quality,
  status = excluded.status,
  status_reason = CASE WHEN excluded.status_reason = '' AND t.status = excluded.status THEN t.status_reason
                       ELSE excluded.status_reason END
WHERE t.status_at <= $3

-- name: find read(organization_id uuid, business_account_id text, id text)
SELECT /*include columns*/, t.version::text
FROM template t WHERE t.organization_id = $1 AND t.business_account_id = $2 AND t.id = $3

-- name: claim write(organization_id uuid, id text, version text)
-- Raises the version, so that of many who saw the same one goes on.
UPDATE template SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
WHERE organization_id = $1 AND id = $2 AND version::text = $3
RETURNING version::text

-- name: put write(organization_id uuid, business_account_id text, id text, name text, language text, category text, status text,
--   reason text, quality text, components text)
INSERT INTO template AS t (organization_id, business_account_id, id, name, language, category, status, status_reason,
  quality, components, status_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, now())
ON CONFLICT (organization_id, id) DO UPDATE
SET category = excluded.category, status = excluded.status, status_reason = excluded.status_reason,
  quality = excluded.quality, components = excluded.components, status_at = excluded.status_at
RETURNING /*include columns*/

-- name: changed write(organization_id uuid, business_account_id text)
-- First in each transaction, as the list is the first that save() locks. The list is due again: the channel may have
-- reviewed the template before it is kept here.
INSERT INTO channel_list AS l (organization_id, kind, business_account_id, listed_at, changed_at)
VALUES ($1, 'Templates', $2, '-infinity', now())
ON CONFLICT (organization_id, kind) DO UPDATE SET changed_at = excluded.changed_at, listed_at = excluded.listed_at

-- name: remove write(organization_id uuid, id text)
DELETE FROM template WHERE organization_id = $1 AND id = $2

-- name: users read(organization_id uuid, name text, language text)
-- The campaigns that would send it.
SELECT id FROM (
  SELECT c.id FROM campaign c WHERE /*include uses*/ AND c.status = 'Draft' AND c.deleted_at IS NULL
  UNION ALL
  SELECT c.id FROM campaign c WHERE /*include uses*/ AND c.status IN ('Scheduled', 'Running', 'Paused')
) u
ORDER BY id LIMIT 100

-- name: remove_phone_numbers write(organization_id uuid, kept_ids text[])
DELETE FROM phone_number WHERE organization_id = $1 AND id <> ALL ($2)

-- name: remove_templates write(organization_id uuid, kept_ids text[], listed_at timestamptz)
DELETE FROM template WHERE organization_id = $1 AND id <> ALL ($2) AND status_at <= $3
