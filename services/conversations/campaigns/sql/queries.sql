-- name: find read(organization_id uuid, id uuid)
SELECT /*include campaign*/ AND c.id = $2

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include campaign*/ AND c.id = $2 FOR NO KEY UPDATE OF c

-- name: count_page read(organization_id uuid, search text, status text, list_id uuid, tag text)
SELECT count(*) FROM campaign c
WHERE c.organization_id = $1 AND c.deleted_at IS NULL
  /*include filters*/

-- name: moment read(local text, zone text)
-- A local time that clocks skip is read as if they had not been put forward; one that they show twice is the later one.
SELECT $1::timestamp AT TIME ZONE $2

-- name: standing read(organization_id uuid, ids uuid[])
SELECT w.id, n.*, d.in_doubt, coalesce(r.rate, 0) AS rate
FROM (SELECT $1 AS organization_id, id FROM unnest($2) AS wanted (id)) w
  /*include standing*/
  LEFT JOIN campaign_rate r
    ON r.organization_id = $1 AND r.campaign_id = w.id AND r.at > now() - interval '1 minute'

-- name: zones slow()
-- Reads the whole time zone database: once per process.
SELECT name FROM pg_timezone_names
WHERE name !~ '^(posix|right)/' AND name NOT IN ('localtime', 'posixrules', 'Factory')

-- name: insert write(organization_id uuid, id uuid, name text, description text, message jsonb, variants jsonb, list_ids uuid[],
--   excluded_list_ids uuid[], tag_ids uuid[], told_tags text[], phone_number_id text, scheduled_at timestamptz,
--   timezone text, allowed_lateness int4, messages_per_second int4, segment_ids uuid[])
INSERT INTO campaign (organization_id, id, name, description, message, variants, list_ids, excluded_list_ids, tag_ids,
  told_tags, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second, segment_ids)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)

-- name: delay_start write(organization_id uuid, id uuid, seconds int8)
-- A time that is later stays. Whole milliseconds, as in answers, so that what an answer shows can be sent back.
UPDATE campaign SET scheduled_at = w.moment, time_by_start = true
FROM (SELECT date_trunc('milliseconds', clock_timestamp()) + $3 * interval '1 second' AS moment) w
WHERE organization_id = $1 AND id = $2 AND (scheduled_at IS NULL OR scheduled_at < w.moment)

-- name: take_back write(organization_id uuid, id uuid)
-- What start has set of a Draft.
UPDATE campaign SET number_by_start = false, time_by_start = false,
  phone_number_id = CASE WHEN NOT number_by_start THEN phone_number_id END,
  scheduled_at = CASE WHEN NOT time_by_start THEN scheduled_at END
WHERE organization_id = $1 AND id = $2 AND (number_by_start OR time_by_start)

-- name: hide write(organization_id uuid, id uuid)
UPDATE campaign SET deleted_at = now() WHERE organization_id = $1 AND id = $2

-- name: move write(organization_id uuid, id uuid, from_status text, to_status text, reason text)
WITH old AS (
  SELECT started_at IS NULL AS is_new FROM campaign
  WHERE organization_id = $1 AND id = $2 AND status = $3 AND deleted_at IS NULL
  FOR NO KEY UPDATE
)
UPDATE campaign c SET status = $4, status_reason = $5, updated_at = now(),
  started_at = CASE $4 WHEN 'Running' THEN coalesce(c.started_at, now()) ELSE c.started_at END,
  finished_at = CASE WHEN $4 IN ('Cancelled', 'Finished') THEN now() END
FROM old
WHERE c.organization_id = $1 AND c.id = $2
RETURNING $4 = 'Running' AND old.is_new AS first, c.list_ids AS "listIds"

-- name: set_phone_number write(organization_id uuid, id uuid, phone_number_id text)
UPDATE campaign SET phone_number_id = $3, number_by_start = phone_number_id IS NULL
WHERE organization_id = $1 AND id = $2 AND phone_number_id IS DISTINCT FROM $3

-- name: set_reason write(organization_id uuid, id uuid, reason text)
UPDATE campaign SET status_reason = $3
WHERE organization_id = $1 AND id = $2 AND status = 'Running' AND status_reason <> $3

-- name: update write(organization_id uuid, id uuid, name text, description text, message jsonb, variants jsonb, list_ids uuid[],
--   excluded_list_ids uuid[], tag_ids uuid[], told_tags text[], phone_number_id text, scheduled_at timestamptz,
--   timezone text, allowed_lateness int4, messages_per_second int4, segment_ids uuid[])
UPDATE campaign SET name = $3, description = $4, message = $5, variants = $6, list_ids = $7, excluded_list_ids = $8,
  tag_ids = $9, told_tags = $10, phone_number_id = $11, scheduled_at = $12, timezone = $13, allowed_lateness = $14,
  messages_per_second = $15, segment_ids = $16, updated_at = now(),
  number_by_start = number_by_start AND phone_number_id IS NOT DISTINCT FROM $11,
  time_by_start = time_by_start AND scheduled_at IS NOT DISTINCT FROM $12
WHERE organization_id = $1 AND id = $2
