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
SELECT t.id AS "uniqueId", t.id, t.name, t.language, t.category, t.status, t.status_reason AS "statusReason", t.components
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
INSERT INTO channel_list AS l (organization_id, kind, business_account_id, listed_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, kind) DO UPDATE
SET business_account_id = excluded.business_account_id, listed_at = excluded.listed_at

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
--   languages text[], categories text[], statuses text[], components jsonb[])
INSERT INTO template AS t (organization_id, id, business_account_id, name, language, category, status, components)
SELECT DISTINCT ON (l.id) $1, l.id, $2, l.name, l.language, l.category, l.status, l.components
FROM unnest($4, $5, $6, $7, $8, $9) AS l (id, name, language, category, status, components)
ON CONFLICT (organization_id, id) DO UPDATE
SET business_account_id = excluded.business_account_id, name = excluded.name, language = excluded.language,
  category = excluded.category, components = excluded.components,
  status = CASE WHEN t.status_at > $3 THEN t.status ELSE excluded.status END,
  status_reason = CASE WHEN t.status_at > $3 OR t.status = excluded.status THEN t.status_reason ELSE '' END

-- name: expire_templates write(business_account_id text)
UPDATE channel_list SET listed_at = '-infinity' WHERE business_account_id = $1 AND kind = 'Templates'

-- name: set_status write(business_account_id text, id text, status text, reason text)
UPDATE template SET status = $3, status_reason = $4, status_at = now() WHERE business_account_id = $1 AND id = $2

-- name: remove_phone_numbers write(organization_id uuid, kept_ids text[])
DELETE FROM phone_number WHERE organization_id = $1 AND id <> ALL ($2)

-- name: remove_templates write(organization_id uuid, kept_ids text[])
DELETE FROM template WHERE organization_id = $1 AND id <> ALL ($2)
