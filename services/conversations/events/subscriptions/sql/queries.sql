-- name: find read(organization_id uuid, id uuid)
SELECT /*include webhook*/, version::text FROM webhook WHERE organization_id = $1 AND id = $2

-- name: find_delivery write(organization_id uuid, webhook_id uuid, id uuid)
SELECT /*include delivery*/
FROM webhook_delivery d JOIN webhook_notice n ON n.organization_id = $1 AND n.id = d.notice_id
WHERE d.organization_id = $1 AND d.webhook_id = $2 AND d.id = $3
FOR NO KEY UPDATE OF d

-- name: lock write(organization_id uuid, id uuid)
SELECT /*include webhook*/, version::text FROM webhook WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE

-- name: lock_to_delete write(organization_id uuid, id uuid)
-- Waits for transactions that insert deliveries for it.
SELECT /*include webhook*/, version::text FROM webhook WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- name: deliveries read(organization_id uuid, webhook_id uuid, state text, after uuid, most int8)
SELECT /*include delivery*/
FROM webhook_delivery d JOIN webhook_notice n ON n.organization_id = $1 AND n.id = d.notice_id
WHERE d.organization_id = $1 AND d.webhook_id = $2
  /*if by_state*/ AND d.state = $3 /*end*/
  /*if after*/ AND d.id < $4 /*end*/
ORDER BY d.id DESC
LIMIT $5

-- name: first read(floor int8, world text)
-- When the first delivery behind the floor is due: microseconds since 1970.
SELECT (extract(epoch FROM deliveries_first(moment(queue_floor('webhook_delivery', $1, $2)))) * 1000000)::int8

-- name: list read(organization_id uuid)
SELECT /*include webhook*/ FROM webhook WHERE organization_id = $1 ORDER BY id

-- name: list_failed slow(most int8)
SELECT d.id::text, n.type || ' to webhook ' || d.webhook_id || ' of organization ' || d.organization_id AS about,
  coalesce(d.error, 'answered ' || d.response_status, '') AS error, coalesce(d.attempted_at, d.created_at) AS at,
  count(*) OVER () AS total
FROM webhook_delivery d
  JOIN webhook_notice n ON n.organization_id = d.organization_id AND n.id = d.notice_id
WHERE d.state = 'Failed'
ORDER BY d.organization_id, d.webhook_id, d.id LIMIT $1

-- name: listening write(organization_ids uuid[])
-- The lock keeps webhooks until the transaction ends, so that a removal finds the new deliveries.
SELECT organization_id, id, events FROM webhook
WHERE organization_id = ANY (ARRAY(SELECT unnest($1))) AND active
ORDER BY organization_id, id
FOR KEY SHARE

-- name: sealed_webhooks read(organization_id uuid, id uuid, most int8)
SELECT organization_id, id, ARRAY[secret, old_secret] AS sealed
FROM webhook
WHERE (organization_id, id) > ($1, $2)
ORDER BY organization_id, id LIMIT $3

-- name: insert write(organization_id uuid, id uuid, url text, description text, events text[], active bool, secret text,
--   answerable_id uuid)
INSERT INTO webhook (organization_id, id, url, description, events, active, secret, answerable_id, check_due_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
RETURNING /*include webhook*/

-- name: insert_deliveries write(organization_ids uuid[], webhook_ids uuid[], ids uuid[], notice_ids uuid[])
INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id) SELECT * FROM unnest($1, $2, $3, $4)

-- name: insert_notices write(organization_ids uuid[], ids uuid[], types text[], contact_ids uuid[], bodies text[])
INSERT INTO webhook_notice (organization_id, id, type, contact_id, body) SELECT * FROM unnest($1, $2, $3, $4, $5)

-- name: claim write(busy uuid[], holders uuid[], held int8[], lease_seconds int8, most_of_one int4, reserved int4, most int4, floor int8, world text)
-- At most most_of_one deliveries for a webhook, a share of the places for an organization, none for busy webhooks.
WITH due AS MATERIALIZED (
  SELECT f.place
  FROM deliveries_shared(moment(queue_floor('webhook_delivery', $8, $9)), $1, $2, $3, $5, $6, $7) AS f (place)
)
UPDATE webhook_delivery d SET due_at = clock_timestamp() + $4 * interval '1 second'
FROM due CROSS JOIN webhook w CROSS JOIN webhook_notice n
WHERE d.ctid = due.place AND w.organization_id = d.organization_id AND w.id = d.webhook_id
  AND n.organization_id = d.organization_id AND n.id = d.notice_id
RETURNING d.organization_id, d.webhook_id, d.id, d.notice_id, d.tries, n.type, n.body, w.url, w.active, w.secret,
  CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret

-- name: disable write(organization_id uuid, id uuid, taken_until timestamptz)
-- No-op if a new check was scheduled meanwhile.
UPDATE webhook SET active = false, disabled_at = now(), disabled_reason = 'Permission', check_due_at = NULL
WHERE organization_id = $1 AND id = $2 AND check_due_at = $3 AND active

-- name: doubt write(organization_ids uuid[], member_ids uuid[])
-- The permissions of these members changed; NULL: of all members of the organization.
UPDATE webhook w SET check_due_at = now()
FROM unnest($1, $2) AS changed(organization_id, member_id)
WHERE w.organization_id = changed.organization_id AND w.active AND w.answerable_id IS NOT NULL
  AND (changed.member_id IS NULL OR changed.member_id = w.answerable_id)

-- name: doubt_all write()
UPDATE webhook SET check_due_at = now() WHERE active AND answerable_id IS NOT NULL

-- name: failed write(organization_id uuid, id uuid, patience_seconds int8)
-- Disables a webhook that has failed for too long. Writes only on a change.
UPDATE webhook SET failing_since = coalesce(failing_since, now()),
  active = active AND failing_since IS NULL,
  disabled_at = CASE WHEN active AND failing_since IS NOT NULL THEN now() ELSE disabled_at END
WHERE organization_id = $1 AND id = $2
  AND (failing_since IS NULL OR (active AND failing_since < now() - $3 * interval '1 second'))

-- name: move_notices write(organization_id uuid, merged_id uuid, most int8)
UPDATE webhook_notice n SET contact_id = m.into_id
FROM merged_contact m
WHERE m.organization_id = $1 AND m.contact_id = $2 AND n.organization_id = $1 AND n.id = ANY (ARRAY(
  SELECT id FROM webhook_notice WHERE organization_id = $1 AND contact_id = $2 AND body IS NOT NULL LIMIT $3))

-- name: pass write(organization_id uuid, id uuid, taken_until timestamptz, next_seconds int8)
-- No-op if a new check was scheduled meanwhile.
UPDATE webhook SET check_due_at = CASE WHEN active THEN now() + $4 * interval '1 second' END
WHERE organization_id = $1 AND id = $2 AND check_due_at = $3

-- name: record write(organization_id uuid, webhook_id uuid, id uuid, tries int4, state text, pause_seconds int8, attempted bool, duration_ms int4, response_status int4, response_body text, error text)
-- No-op if another process took over after the lease and recorded first.
UPDATE webhook_delivery SET state = $5, due_at = CASE $5 WHEN 'Pending' THEN clock_timestamp() + $6 * interval '1 second' END,
  tries = tries + 1, attempts = attempts + $7::int, attempted_at = CASE WHEN $7 THEN now() ELSE attempted_at END,
  duration_ms = $8, response_status = $9, response_body = $10, error = $11
WHERE organization_id = $1 AND webhook_id = $2 AND id = $3 AND state = 'Pending' AND tries = $4

-- name: remove_words write(organization_id uuid, contact_id uuid, most int8)
UPDATE webhook_notice SET body = NULL
WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT id FROM webhook_notice
  WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest(names_of($1, $2)))) AND body IS NOT NULL LIMIT $3))

-- name: replay write(organization_id uuid, webhook_id uuid, id uuid)
UPDATE webhook_delivery SET state = 'Pending', due_at = clock_timestamp(), tries = 0
WHERE organization_id = $1 AND webhook_id = $2 AND id = $3

-- name: replay_failed write(id text, most int8)
UPDATE webhook_delivery d SET state = 'Pending', due_at = (SELECT clock_timestamp()), tries = 0
FROM (SELECT organization_id, webhook_id, id FROM webhook_delivery
      WHERE state = 'Failed' AND id::text = coalesce($1, id::text)
      ORDER BY organization_id, webhook_id, id LIMIT $2
      FOR UPDATE) w
WHERE d.organization_id = w.organization_id AND d.webhook_id = w.webhook_id AND d.id = w.id

-- name: reseal_webhook write(organization_id uuid, id uuid, old text[], new text[])
UPDATE webhook SET secret = $4[1], old_secret = $4[2]
WHERE organization_id = $1 AND id = $2 AND ARRAY[secret, old_secret] = $3

-- name: rotate write(organization_id uuid, id uuid, secret text)
UPDATE webhook SET old_secret = secret, old_secret_until = now() + interval '24 hours', secret = $3
WHERE organization_id = $1 AND id = $2
RETURNING old_secret_until

-- name: succeeded write(organization_id uuid, id uuid)
UPDATE webhook SET failing_since = NULL WHERE organization_id = $1 AND id = $2 AND failing_since IS NOT NULL

-- name: take_checks write(lease_seconds int8, most int4)
-- For all organizations. The claim's deadline is rounded to milliseconds, the precision at which it is compared later.
WITH due AS MATERIALIZED (
  SELECT organization_id, id FROM webhook WHERE check_due_at <= now()
  ORDER BY check_due_at LIMIT $2
  FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE webhook w SET check_due_at = date_trunc('milliseconds', clock_timestamp() + $1 * interval '1 second')
FROM due
WHERE w.organization_id = due.organization_id AND w.id = due.id
RETURNING w.organization_id, w.id, w.active, w.answerable_id, w.events, w.check_due_at AS taken_until

-- name: tell_health write(organization_id uuid, id uuid)
-- In the transaction that may have changed it. It is Failing after a minute of nothing else, and Healthy again only if
-- something else was told: a target that fails and succeeds in turn tells at most twice a minute.
WITH told AS (
  UPDATE webhook SET told_health = CASE WHEN disabled_at IS NOT NULL THEN 'Disabled'
                                        WHEN failing_since IS NULL THEN 'Healthy' ELSE 'Failing' END
  WHERE organization_id = $1 AND id = $2
    AND told_health <> CASE WHEN disabled_at IS NOT NULL THEN 'Disabled' WHEN failing_since IS NULL THEN 'Healthy'
                            WHEN failing_since < now() - interval '1 minute' THEN 'Failing' ELSE told_health END
  RETURNING organization_id, id, told_health, to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since,
    CASE WHEN disabled_at IS NOT NULL THEN coalesce(disabled_reason, 'Failing') END AS reason
)
INSERT INTO outbox (changes)
SELECT jsonb_build_array(jsonb_build_object(
  'type', 'webhook.health', 'organizationId', organization_id, 'webhookId', id, 'state', told_health,
  'failingSince', since, 'disabledReason', reason,
  'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
FROM told

-- name: update write(organization_id uuid, id uuid, url text, description text, events text[], active bool, answerable_id uuid)
-- Activation restarts the failure period. Schedules a check, since permissions may change during the request.
UPDATE webhook SET url = $3, description = $4, events = $5, active = $6,
  failing_since = CASE WHEN $6 AND NOT active THEN NULL ELSE failing_since END,
  disabled_at = CASE WHEN $6 THEN NULL ELSE disabled_at END,
  disabled_reason = CASE WHEN $6 THEN NULL ELSE disabled_reason END,
  answerable_id = coalesce($7, answerable_id),
  check_due_at = CASE WHEN coalesce($7, answerable_id) IS NOT NULL THEN now() END
WHERE organization_id = $1 AND id = $2
RETURNING /*include webhook*/

-- name: delete_webhook write(organization_id uuid, id uuid)
DELETE FROM webhook WHERE organization_id = $1 AND id = $2

-- name: sweep_deliveries write(days int8, most int4)
-- Removes old log entries of all organizations; pending deliveries do not get that old.
DELETE FROM webhook_delivery
WHERE (organization_id, webhook_id, id) IN (
  SELECT organization_id, webhook_id, id FROM webhook_delivery
  WHERE created_at < now() - $1 * interval '1 day' AND state <> 'Pending'
  ORDER BY created_at LIMIT $2
  FOR UPDATE SKIP LOCKED)

-- name: sweep_notices write(days int8, most int4)
-- Removes notices of all organizations that no pending delivery can refer to.
DELETE FROM webhook_notice
WHERE (organization_id, id) IN (
  SELECT organization_id, id FROM webhook_notice
  WHERE created_at < now() - ($1 + 2) * interval '1 day'
  ORDER BY created_at LIMIT $2
  FOR UPDATE SKIP LOCKED)
