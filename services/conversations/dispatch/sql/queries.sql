-- name: await_intents write(organization_id uuid, phone_number_id text)
-- Waits for the transactions that make messages of this number's campaigns: they lock its row.
SELECT FROM sender
WHERE organization_id = $1 AND phone_number_id = $2
FOR UPDATE

-- name: composition read(organization_id uuid, campaign_id uuid)
SELECT message, variants FROM campaign WHERE organization_id = $1 AND id = $2

-- name: depth slow()
-- The backlog of all organizations.
SELECT count(*) FILTER (WHERE state = 'Due') AS due, count(*) FILTER (WHERE state = 'Sending') AS sending,
  count(*) FILTER (WHERE state = 'InDoubt') AS in_doubt,
  min(due_at) FILTER (WHERE state = 'Due' AND due_at <= now()) AS oldest,
  (SELECT count(*) FROM sender WHERE stopped_until > now()) AS stopped
FROM outgoing

-- name: edge read(organization_id uuid, phone_number_id text, after_due int8, after_message uuid, seen int4)
-- The last row that look() scans, if it scanned as many as `seen`.
SELECT (extract(epoch FROM e.due_at) * 1000000)::int8 AS due, e.message_id
FROM outgoing_edge($1, $2, $3, $4, $5) e

-- name: first read(floor int8, world text)
-- The due time of the first Due or Sending row behind the floor: microseconds since 1970.
SELECT (extract(epoch FROM outgoing_first(moment(queue_floor('outgoing', $1, $2)))) * 1000000)::int8

-- name: left_chunks read(owner uuid, most int4)
-- Chunks of any organization whose dispatcher no longer owns their number, or owns it with an expired lease and is not
-- the caller: their Queued messages may have been sent.
SELECT k.organization_id, k.campaign_id, c.phone_number_id, k.first, k.last, k.owner,
  s.owner IS NOT DISTINCT FROM k.owner AS held
FROM chunk k
  JOIN campaign c ON c.organization_id = k.organization_id AND c.id = k.campaign_id
  LEFT JOIN sender s ON s.organization_id = k.organization_id AND s.phone_number_id = c.phone_number_id
WHERE k.owner IS NOT NULL AND NOT k.done
  AND (s.owner IS DISTINCT FROM k.owner OR (s.lease_until < now() AND k.owner <> $1))
LIMIT $2

-- name: look read(organization_id uuid, phone_number_id text, after_due int8, after_message uuid, seen int4, most int4)
SELECT n.message_id, n.kind, (extract(epoch FROM n.due_at) * 1000000)::int8 AS due
FROM outgoing_next($1, $2, $3, $4, $5, $6) n

-- name: numbers slow(owner uuid, after_organization uuid, after_number text, most int4, floor int8, world text)
-- The next numbers of any organization with due rows; whether this dispatcher owns them, and whether it may take them.
SELECT n.organization_id, n.phone_number_id, s.owner IS NOT DISTINCT FROM $1 AS mine,
  (s.owner IS NULL OR s.lease_until < now()) AND coalesce(s.stopped_until < now(), true) AS free
FROM sending_numbers($2, $3, $4, moment(queue_floor('outgoing', $5, $6))) n
LEFT JOIN sender s ON s.organization_id = n.organization_id AND s.phone_number_id = n.phone_number_id
ORDER BY n.organization_id, n.phone_number_id

-- name: reached read(organization_id uuid, phone_number_id text)
-- The account's limit, as the channel names it, and the number of people reached first in the last 24 hours.
SELECT (SELECT p.messaging_limit FROM phone_number p WHERE p.organization_id = $1 AND p.id = $2) AS messaging_limit,
  (SELECT coalesce(sum(r.people), 0)::int8 FROM reach r
   WHERE r.organization_id = $1 AND r.hour >= date_trunc('hour', now() - interval '24 hours')) AS people

-- name: targets read(organization_id uuid, campaign_id uuid, first int4, last int4)
SELECT t.ordinal, t.recipient, t.variant, t.message_id, t.parameters
FROM chunk_targets($1, $2, $3, $4) t

-- name: accept write(organization_id uuid, message_ids uuid[], channel_message_ids text[])
SELECT a.id, a.conversation_id, a.contact_id, a.campaign_id, a.created_at, a.was, a.status, a.error_code, a.error_text,
  a.status_at
FROM accept_messages($1, $2, $3) a

-- name: doubt_chunk write(organization_id uuid, campaign_id uuid, first int4, last int4, doubt int8)
SELECT FROM chunk_doubts($1, $2, $3, $4, $5)

-- name: intend write(organization_id uuid, phone_number_id text, owner uuid, campaign_id uuid, ordinals int4[], conversation_ids uuid[], types text[], contents text[])
SELECT i.message_id, i.contact_id, i.conversation_id, i.created_at, i.fate
FROM campaign_intents($1, $2, $3, $4, $5, $6, $7, $8) i

-- name: unclaim write(organization_id uuid, claim uuid, message_ids uuid[])
-- Gives up a claim under which nothing was sent.
SELECT outgoing_unclaim($1, $2, $3)

-- name: add_senders write(organization_ids uuid[], phone_number_ids text[])
INSERT INTO sender (organization_id, phone_number_id)
SELECT organization_id, phone_number_id
FROM unnest($1, $2) AS w (organization_id, phone_number_id)
ORDER BY organization_id, phone_number_id
ON CONFLICT (organization_id, phone_number_id) DO NOTHING

-- name: suppress write(organization_id uuid, contact_ids uuid[])
-- Contacts who want no more campaigns, as the channel says; returns those that are new.
INSERT INTO suppression AS s (organization_id, contact_id, opted_out, opted_out_at)
SELECT $1, contact_id, true, date_trunc('milliseconds', now())
FROM (SELECT DISTINCT unnest($2) AS contact_id ORDER BY 1) c
ON CONFLICT (organization_id, contact_id) DO UPDATE SET opted_out = true, opted_out_at = excluded.opted_out_at
WHERE NOT s.opted_out AND s.opted_out_at <= excluded.opted_out_at
RETURNING s.contact_id, s.opted_out_at AS at

-- name: again write(organization_id uuid, message_ids uuid[], kinds text[], claims uuid[], delays int8[], counted int4[], codes int4[], texts text[])
-- Messages surely not sent under these claims: due again after `delays` ms. Uncounted: not a refusal of the message.
UPDATE outgoing o SET state = 'Due', due_at = clock_timestamp() + a.delay * interval '1 millisecond', attempt = o.attempt - 1 + a.counted,
  error_code = coalesce(a.code, o.error_code), error_text = coalesce(a.text, o.error_text)
FROM unnest($2, $3, $4, $5, $6, $7, $8) AS a (message_id, kind, claim, delay, counted, code, text)
WHERE o.organization_id = $1 AND o.message_id = a.message_id AND o.kind = a.kind AND o.claim = a.claim
  AND o.state IN ('Sending', 'InDoubt')

-- name: doubt write(organization_id uuid, message_ids uuid[], claims uuid[], doubt int8)
UPDATE outgoing o SET state = 'InDoubt', due_at = now() + $4 * interval '1 millisecond'
FROM unnest($2, $3) AS d (message_id, claim)
WHERE o.organization_id = $1 AND o.message_id = d.message_id AND o.kind = 'Message' AND o.claim = d.claim
  AND o.state = 'Sending'

-- name: doubt_abandoned write(owner uuid, organization_ids uuid[], phone_number_ids text[], doubt int8)
-- Rows that former owners of numbers just taken were sending may have been sent. A receipt may be sent twice.
UPDATE outgoing o SET state = CASE o.kind WHEN 'Receipt' THEN 'Due' ELSE 'InDoubt' END,
  due_at = clock_timestamp() + CASE o.kind WHEN 'Receipt' THEN 0 ELSE $4 END * interval '1 millisecond'
FROM unnest($2, $3) AS w (organization_id, phone_number_id)
JOIN sender s ON s.organization_id = w.organization_id AND s.phone_number_id = w.phone_number_id
WHERE o.organization_id = s.organization_id AND o.phone_number_id = s.phone_number_id AND s.owner = $1
  AND o.state = 'Sending'

-- name: doubt_forgotten write(age int8, doubt int8, most int4, floor int8, world text)
-- Rows of any organization Sending for too long: their dispatcher is gone. A receipt may be sent twice.
UPDATE outgoing o SET state = CASE o.kind WHEN 'Receipt' THEN 'Due' ELSE 'InDoubt' END,
  due_at = clock_timestamp() + CASE o.kind WHEN 'Receipt' THEN 0 ELSE $2 END * interval '1 millisecond'
FROM outgoing_past('Sending', moment(queue_floor('outgoing', $4, $5)), now() - $1 * interval '1 millisecond', $3) f
WHERE o.ctid = f.place AND (o.state = 'Sending') IS TRUE

-- name: explain write(organization_id uuid, phone_number_id text, reason text)
-- Stores why the Running campaigns of a number wait; '' if they do not.
UPDATE campaign c SET status_reason = $3
FROM (
  SELECT id FROM campaign
  WHERE organization_id = $1 AND phone_number_id = $2 AND status = 'Running' AND audience_done AND status_reason <> $3
  ORDER BY id
  FOR NO KEY UPDATE
) w
WHERE c.organization_id = $1 AND c.id = w.id

-- name: finish_chunk write(organization_id uuid, campaign_id uuid, first int4, owner uuid)
UPDATE chunk SET done = true
WHERE organization_id = $1 AND campaign_id = $2 AND first = $3 AND owner = $4

-- name: release write(organization_id uuid, phone_number_id text, owner uuid)
UPDATE sender SET owner = NULL, lease_until = NULL
WHERE organization_id = $1 AND phone_number_id = $2 AND owner = $3

-- name: release_chunk write(organization_id uuid, campaign_id uuid, first int4, owner uuid)
UPDATE chunk SET owner = NULL
WHERE organization_id = $1 AND campaign_id = $2 AND first = $3 AND owner = $4 AND NOT done

-- name: renew write(owner uuid, organization_ids uuid[], phone_number_ids text[], lease int8)
-- Returns the numbers that this dispatcher still owns.
UPDATE sender s SET lease_until = now() + $4 * interval '1 millisecond'
FROM unnest($2, $3) AS w (organization_id, phone_number_id)
WHERE s.organization_id = w.organization_id AND s.phone_number_id = w.phone_number_id AND s.owner = $1
RETURNING s.organization_id, s.phone_number_id

-- name: stop write(organization_id uuid, phone_number_id text, pause int8, code int4, text text)
UPDATE sender SET stopped_until = now() + $3 * interval '1 millisecond', stop_code = $4, stop_text = $5
WHERE organization_id = $1 AND phone_number_id = $2

-- name: unstop write(organization_id uuid, phone_number_id text)
UPDATE sender SET stopped_until = NULL, stop_code = NULL, stop_text = NULL
WHERE organization_id = $1 AND phone_number_id = $2 AND stop_text IS NOT NULL

-- name: settle write(organization_id uuid, message_ids uuid[], kinds text[])
DELETE FROM outgoing o
USING unnest($2, $3) AS s (message_id, kind)
WHERE o.organization_id = $1 AND o.message_id = s.message_id AND o.kind = s.kind
