-- Version 4 of dispatch

DROP FUNCTION IF EXISTS sending_numbers(uuid, text, int);  -- replaced by the one with a floor

CREATE OR REPLACE FUNCTION moment(microseconds bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT 'epoch'::timestamptz + microseconds * interval '1 microsecond' $$;

-- The next numbers after the given one that have something due above a floor. The first 1,000 due rows name them all,
-- unless there are more rows: then every number with a sender is checked. ORDER BY .. LIMIT 1 forces the right index.
-- Called ten times a second, so its plan is kept, though the lane plans each statement anew.
CREATE OR REPLACE FUNCTION sending_numbers(after_organization uuid, after_number text, most int, after timestamptz)
  RETURNS TABLE (organization_id uuid, phone_number_id text)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
DECLARE
  seen CONSTANT int := 1000;
  is_all bool := (
    SELECT count(*) < seen
    FROM (SELECT FROM outgoing WHERE state = 'Due' AND due_at > after AND due_at <= now() ORDER BY due_at LIMIT seen) f);
BEGIN
  RETURN QUERY
  SELECT n.organization_id, n.phone_number_id
  FROM (
    SELECT f.organization_id, f.phone_number_id
    FROM (SELECT organization_id, phone_number_id FROM outgoing
          WHERE is_all AND state = 'Due' AND due_at > after AND due_at <= now() ORDER BY due_at LIMIT seen) f
    WHERE (f.organization_id, f.phone_number_id) > (after_organization, after_number)
    UNION
    SELECT s.organization_id, s.phone_number_id FROM sender s
    WHERE NOT is_all AND (s.organization_id, s.phone_number_id) > (after_organization, after_number)
    UNION
    SELECT c.organization_id, c.phone_number_id FROM campaign c
    WHERE c.status = 'Running' AND (c.organization_id, c.phone_number_id) > (after_organization, after_number)) n
  WHERE coalesce((
      SELECT true FROM outgoing o
      WHERE o.organization_id = n.organization_id AND o.phone_number_id = n.phone_number_id AND o.state = 'Due'
        AND o.due_at > after AND o.due_at <= now()
        AND (o.campaign_id IS NULL OR EXISTS (
          SELECT FROM campaign c
          WHERE c.organization_id = n.organization_id AND c.id = o.campaign_id AND c.status = 'Running'))
      ORDER BY o.due_at, o.message_id LIMIT 1), (
      SELECT true FROM campaign c JOIN chunk k ON k.organization_id = c.organization_id AND k.campaign_id = c.id
      WHERE c.organization_id = n.organization_id AND c.phone_number_id = n.phone_number_id AND c.status = 'Running'
        AND NOT k.done
      LIMIT 1), false)
  ORDER BY n.organization_id, n.phone_number_id LIMIT most;
END $$;

-- When the first Due or Sending row above a floor has become so.
CREATE OR REPLACE FUNCTION outgoing_first(after timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN least((SELECT due_at FROM outgoing WHERE state = 'Due' AND due_at > after ORDER BY due_at LIMIT 1),
               (SELECT due_at FROM outgoing WHERE state = 'Sending' AND due_at > after ORDER BY due_at LIMIT 1));
END $$;

CREATE OR REPLACE FUNCTION outgoing_next(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int,
                              most int)
  RETURNS TABLE (message_id uuid, kind text, attempt int, due_at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT d.message_id, d.kind, d.attempt, d.due_at
  FROM (SELECT o.message_id, o.kind, o.attempt, o.recipient, o.created_at, o.due_at, o.campaign_id
        FROM outgoing o
        WHERE o.organization_id = of_organization AND o.phone_number_id = of_number AND o.state = 'Due'
          AND o.due_at <= now()
          AND (o.due_at, o.message_id) > ('epoch'::timestamptz + after_due * interval '1 microsecond', after_message)
        ORDER BY o.due_at, o.message_id LIMIT seen) d
  WHERE (d.campaign_id IS NULL OR EXISTS (
      SELECT FROM campaign c
      WHERE c.organization_id = of_organization AND c.id = d.campaign_id AND c.status = 'Running'))
    AND (
      SELECT e.message_id FROM outgoing e
      WHERE e.organization_id = of_organization AND e.phone_number_id = of_number AND e.recipient = d.recipient
        AND e.state <> 'InDoubt' AND (e.created_at, e.message_id) < (d.created_at, d.message_id)
        AND e.campaign_id IS NULL
      ORDER BY e.created_at, e.message_id LIMIT 1) IS NULL
  LIMIT most;
END $$;

-- The last of the rows that outgoing_next() examines, if there are that many.
CREATE OR REPLACE FUNCTION outgoing_edge(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int)
  RETURNS TABLE (due_at timestamptz, message_id uuid)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT o.due_at, o.message_id FROM outgoing o
  WHERE o.organization_id = of_organization AND o.phone_number_id = of_number AND o.state = 'Due' AND o.due_at <= now()
    AND (o.due_at, o.message_id) > (moment(after_due), after_message)
  ORDER BY o.due_at, o.message_id
  OFFSET seen - 1 LIMIT 1;
END $$;

-- Rows in a state whose time is above a floor and has come, the oldest first.
CREATE OR REPLACE FUNCTION outgoing_past(in_state text, after timestamptz, until timestamptz, most int)
  RETURNS TABLE (place tid, organization_id uuid, message_id uuid)
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT o.ctid, o.organization_id, o.message_id FROM outgoing o
  WHERE o.state = in_state AND o.due_at > after AND o.due_at <= until
  ORDER BY o.due_at LIMIT most;
END $$;

-- Where rows are, by their keys. Each is the first of the primary key's order from its own key on, which forces that
-- index.
CREATE OR REPLACE FUNCTION outgoing_places(of_organization uuid, messages uuid[], kinds text[])
  RETURNS TABLE (place bigint, at tid)
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT w.place, o.ctid
  FROM unnest(messages, kinds) WITH ORDINALITY AS w (message_id, kind, place)
    CROSS JOIN LATERAL (
      SELECT s.ctid, s.organization_id, s.message_id, s.kind FROM outgoing s
      WHERE (s.organization_id, s.message_id, s.kind) >= (of_organization, w.message_id, w.kind)
      ORDER BY s.organization_id, s.message_id, s.kind LIMIT 1) o
  WHERE o.organization_id = of_organization AND o.message_id = w.message_id AND o.kind = w.kind;
END $$;

-- Makes these rows Sending if they are still Due as seen, in the order given; skips rows that another transaction
-- changed.
CREATE OR REPLACE FUNCTION outgoing_claim(of_organization uuid, of_number text, of_owner uuid, of_claim uuid, messages uuid[], kinds text[],
                               dues bigint[])
  RETURNS TABLE (place bigint, message_id uuid, kind text, attempt int, contact_id uuid, recipient text, campaign_id uuid)
  LANGUAGE plpgsql ROWS 1
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  UPDATE outgoing o SET state = 'Sending', attempt = o.attempt + 1, claim = of_claim, due_at = clock_timestamp()
  FROM outgoing_places(of_organization, messages, kinds) p
  WHERE o.ctid = p.at
    AND (o.state = 'Due' AND o.due_at = moment(dues[p.place::int])) IS TRUE AND o.expires_at > now()
    AND (o.campaign_id IS NULL OR (
      SELECT c.status = 'Running' FROM campaign c
      WHERE c.organization_id = of_organization AND c.id = o.campaign_id))
    AND (SELECT s.owner = of_owner FROM sender s
         WHERE s.organization_id = of_organization AND s.phone_number_id = of_number)
    AND NOT (SELECT is_restored())
  RETURNING p.place, o.message_id, o.kind, o.attempt, o.contact_id, o.recipient, o.campaign_id;
END $$;

-- Puts back the messages that a claim holds, if it was made. If the claim is being made, this waits for its end; if it
-- has not begun, it will not find the rows as seen.
CREATE OR REPLACE FUNCTION outgoing_unclaim(of_organization uuid, of_claim uuid, messages uuid[]) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
DECLARE
  n int := cardinality(messages);
  twice uuid[] := messages || messages;
  kinds text[] := array_fill('Message'::text, ARRAY[n]) || array_fill('Receipt'::text, ARRAY[n]);
BEGIN
  PERFORM FROM outgoing_places(of_organization, twice, kinds) p JOIN outgoing o ON o.ctid = p.at FOR NO KEY UPDATE OF o;
  -- A second statement sees the rows' current state.
  UPDATE outgoing o SET state = 'Due', attempt = CASE o.state WHEN 'Due' THEN o.attempt ELSE o.attempt - 1 END,
    due_at = CASE o.state WHEN 'Due' THEN o.due_at + interval '1 microsecond' ELSE clock_timestamp() END
  FROM outgoing_places(of_organization, twice, kinds) p
  WHERE o.ctid = p.at AND (o.state = 'Due' OR (o.claim = of_claim AND o.state IN ('Sending', 'InDoubt'))) IS TRUE;
END $$;

-- Whether a chunk is of the rest of an experiment, which waits for the winner.
CREATE OR REPLACE FUNCTION is_chunk_of_rest(of_organization uuid, of_campaign uuid, of_first int) RETURNS bool
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  AS $$ SELECT coalesce((SELECT k.rest FROM chunk k
                         WHERE k.organization_id = of_organization AND k.campaign_id = of_campaign AND k.first = of_first), false) $$;

-- The targets of a chunk without a message, in order, with the variant that they are sent. Of the rest of an experiment that
-- is the winner: its chunks are made with the decision.
CREATE OR REPLACE FUNCTION chunk_targets(of_organization uuid, of_campaign uuid, first int, last int)
  RETURNS TABLE (ordinal int, recipient text, variant int, message_id uuid, parameters text[])
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
DECLARE
  of_rest bool := is_chunk_of_rest(of_organization, of_campaign, chunk_targets.first);
  winner int := CASE WHEN of_rest THEN (
    SELECT c.winner FROM campaign c WHERE c.organization_id = of_organization AND c.id = of_campaign) END;
BEGIN
  RETURN QUERY
  SELECT t.ordinal, t.recipient, CASE WHEN of_rest THEN winner ELSE t.variant::int END, t.message_id, t.parameters
  FROM (SELECT t.ordinal, t.recipient, t.variant, t.message_id, t.parameters, t.skipped FROM target t
        WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal BETWEEN first AND last
        ORDER BY t.ordinal OFFSET 0) t
  WHERE t.skipped IS NULL AND (t.variant < 0) = of_rest
    AND (SELECT m.id FROM message m
         WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
         ORDER BY m.organization_id, m.id LIMIT 1) IS DISTINCT FROM t.message_id;
END $$;

-- Puts Queued messages of these targets that are in no queue in doubt, for `doubt` milliseconds: a dispatcher is
-- sending them, or died while it did. Harmless to those under way: the result finds the row by its claim, which is the
-- message's id.
CREATE OR REPLACE FUNCTION chunk_doubts(of_organization uuid, of_campaign uuid, first int, last int, doubt bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
DECLARE
  of_rest bool := is_chunk_of_rest(of_organization, of_campaign, chunk_doubts.first);
  ordinals int[];
  messages uuid[];
BEGIN
  SELECT array_agg(t.ordinal ORDER BY m.id), array_agg(m.id ORDER BY m.id) INTO ordinals, messages
  FROM (SELECT t.ordinal, t.message_id, t.variant FROM target t
        WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal BETWEEN first AND last
        ORDER BY t.ordinal OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT m.id, m.status FROM message m
      WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
      ORDER BY m.organization_id, m.id LIMIT 1) m
  WHERE m.id = t.message_id AND m.status = 'Queued' AND (t.variant < 0) = of_rest
    AND (SELECT true FROM outgoing o
         WHERE o.organization_id = of_organization AND o.message_id = m.id AND o.kind = 'Message') IS NULL;
  IF messages IS NULL THEN
    RETURN;
  END IF;

  WITH still AS (
    SELECT m.id, m.contact_id, m.created_at FROM message m
    WHERE m.organization_id = of_organization AND m.id = ANY (messages) AND m.status = 'Queued'
    ORDER BY m.id
    FOR NO KEY UPDATE
  )
  INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, attempt, claim,
    due_at, expires_at, created_at, campaign_id)
  SELECT of_organization, s.id, 'Message', c.phone_number_id, s.contact_id, t.recipient, 'InDoubt', 1, s.id,
    now() + doubt * interval '1 millisecond', 'infinity', s.created_at, of_campaign
  FROM still s
    JOIN unnest(ordinals, messages) AS w (ordinal, id) ON w.id = s.id
    JOIN target t ON t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal = w.ordinal
    JOIN campaign c ON c.organization_id = of_organization AND c.id = of_campaign
  ORDER BY s.id
  ON CONFLICT DO NOTHING;
END $$;

-- The targets that need a message and have none, with the reason if one must be skipped: contacts are deleted, merged
-- and opt out after the campaign's start.
CREATE OR REPLACE FUNCTION campaign_targets(of_organization uuid, of_campaign uuid, ordinals int[])
  RETURNS TABLE (place bigint, ordinal int, contact_id uuid, message_id uuid, reason text)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
DECLARE
  any_merged bool := EXISTS (SELECT FROM merged_contact g WHERE g.organization_id = of_organization);
BEGIN
  RETURN QUERY
  SELECT w.place, w.ordinal, t.contact_id, t.message_id,
    CASE WHEN t.is_merged AND is_sent_under_other_name(of_organization, of_campaign, t.contact_id, t.message_id)
           THEN 'Duplicate'
         WHEN (SELECT true FROM removal r
               WHERE r.organization_id = of_organization AND r.kind IN ('contact', 'lost contact') AND r.id = t.contact_id
               LIMIT 1) THEN 'Deleted'
         ELSE (SELECT CASE WHEN s.blocked THEN 'Blocked' WHEN s.opted_out THEN 'OptedOut' END
               FROM suppression s WHERE s.organization_id = of_organization AND s.contact_id = t.contact_id) END AS reason
  FROM unnest(ordinals) WITH ORDINALITY AS w (ordinal, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(g.into_id, t.contact_id) AS contact_id, t.message_id,
        any_merged AND (g.into_id IS NOT NULL OR EXISTS (
          SELECT FROM merged_contact h
          WHERE h.organization_id = of_organization AND h.into_id = t.contact_id)) AS is_merged
      FROM (SELECT f.campaign_id, f.ordinal, f.contact_id, f.message_id, f.skipped
            FROM target f
            WHERE (f.organization_id, f.campaign_id, f.ordinal) >= (of_organization, of_campaign, w.ordinal)
            ORDER BY f.organization_id, f.campaign_id, f.ordinal LIMIT 1) t
        LEFT JOIN merged_contact g ON g.organization_id = of_organization AND g.contact_id = t.contact_id
      WHERE t.campaign_id = of_campaign AND t.ordinal = w.ordinal AND t.skipped IS NULL) t
  WHERE (SELECT m.id FROM message m
         WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
         ORDER BY m.organization_id, m.id LIMIT 1) IS DISTINCT FROM t.message_id;
END $$;

-- Makes the intents of some targets, in one transaction with their events: after the commit the caller, and nobody
-- else, sends the messages returned. One row for each target without a message: Queued, or skipped with a reason. A
-- single row without a message tells why nothing was done: NotMine (another dispatcher has the number) or NotRunning.
-- The message's key is the fence. The number's row stays locked until the commit against a new owner (FOR UPDATE) but
-- not against a longer lease, so that the next owner of a chunk sees all that the former one made. Nobody who holds
-- conversations locked waits for that row. Conversations are locked in the order of contacts; o.ids has them in it. A new
-- conversation is inserted with its first message counted.
CREATE OR REPLACE FUNCTION campaign_intents(of_organization uuid, of_number text, of_owner uuid, of_campaign uuid, ordinals int[],
                                 conversations uuid[], types text[], contents text[])
  RETURNS TABLE (message_id uuid, contact_id uuid, conversation_id uuid, created_at timestamptz, fate text)
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
DECLARE
  fit record;
  opened_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  PERFORM FROM sender s
  WHERE s.organization_id = of_organization AND s.phone_number_id = of_number AND s.owner = of_owner FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::timestamptz, 'NotMine';
    RETURN;
  END IF;
  IF NOT EXISTS (
       SELECT FROM campaign c WHERE c.organization_id = of_organization AND c.id = of_campaign AND c.status = 'Running')
     OR EXISTS (SELECT FROM removal r WHERE r.organization_id = of_organization AND r.kind = 'organization') THEN
    RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::timestamptz, 'NotRunning';
    RETURN;
  END IF;

  SELECT array_agg(t.place ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS places,
    array_agg(t.contact_id ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS contacts,
    array_agg(t.rank ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS ranks,
    array_agg(t.message_id ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS messages,
    array_agg(t.ordinal ORDER BY t.ordinal) FILTER (WHERE t.reason IS NOT NULL) AS skipped,
    array_agg(t.reason ORDER BY t.ordinal) FILTER (WHERE t.reason IS NOT NULL) AS reasons
  INTO fit
  FROM (SELECT *, dense_rank() OVER (PARTITION BY reason IS NULL ORDER BY contact_id) AS rank
        FROM campaign_targets(of_organization, of_campaign, ordinals)) t;

  RETURN QUERY
  WITH opened AS (
    INSERT INTO conversation AS c (organization_id, id, contact_id, campaign_id, initiated_by, first_message_id,
      total_messages, last_message_at)
    SELECT DISTINCT ON (w.contact_id) of_organization, conversations[w.place], w.contact_id, of_campaign, 'Campaign',
      w.message_id, 1, opened_at
    FROM unnest(fit.places, fit.contacts, fit.messages) AS w (place, contact_id, message_id)
    ORDER BY w.contact_id
    ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = c.status
    RETURNING c.contact_id, c.id, c.first_message_id
  )
  INSERT INTO message AS m (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, status_at,
    message_type, data, created_at, variant)
  SELECT of_organization, w.message_id, o.ids[w.rank], w.contact_id, of_campaign, 'OutBound', 'Queued',
    clock_timestamp(), types[w.place], contents[w.place]::jsonb,
    CASE o.firsts[w.rank] WHEN w.message_id THEN opened_at ELSE clock_timestamp() END,
    (SELECT t.variant FROM target t
     WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal = ordinals[w.place])
  FROM unnest(fit.places, fit.contacts, fit.ranks, fit.messages) AS w (place, contact_id, rank, message_id)
    CROSS JOIN (SELECT array_agg(id ORDER BY contact_id) AS ids, array_agg(first_message_id ORDER BY contact_id) AS firsts
                FROM opened) o
  ON CONFLICT DO NOTHING
  RETURNING m.id, m.contact_id, m.conversation_id, m.created_at, 'Queued';

  IF fit.skipped IS NOT NULL THEN
    RETURN QUERY
    UPDATE target t SET skipped = w.reason
    FROM unnest(fit.skipped, fit.reasons) AS w (ordinal, reason)
    WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal = w.ordinal
      AND t.skipped IS NULL
    RETURNING t.message_id, t.contact_id, NULL::uuid, NULL::timestamptz, t.skipped;
  END IF;
END $$;

-- Records the channel's acceptance of messages. A status may have come before it. The channel's id contains a phone
-- number: it is not kept for a deleted contact. The messages are locked by a statement of their own: a statement that
-- waits for a row locks its new version without seeing it, and its update would miss the row.
CREATE OR REPLACE FUNCTION accept_messages(of_organization uuid, messages uuid[], channel_ids text[])
  RETURNS TABLE (id uuid, conversation_id uuid, contact_id uuid, campaign_id uuid, created_at timestamptz, was text,
                 status text, error_code int, error_text text, status_at timestamptz)
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM
  FROM (SELECT a.id FROM unnest(messages) AS a (id) ORDER BY a.id OFFSET 0) a
    CROSS JOIN LATERAL (
      SELECT f.id FROM message f
      WHERE (f.organization_id, f.id) >= (of_organization, a.id)
      ORDER BY f.organization_id, f.id LIMIT 1
      FOR NO KEY UPDATE) m;

  RETURN QUERY
  WITH old AS MATERIALIZED (
    SELECT m.row, m.id, m.status, a.channel_message_id, status_rank(m.status) < status_rank('Sent') AS rises,
      (SELECT c.tombstone FROM conversation c
       WHERE (c.organization_id, c.id) >= (of_organization, m.conversation_id)
       ORDER BY c.organization_id, c.id LIMIT 1) AS tombstone
    FROM (SELECT a.id, a.channel_message_id FROM unnest(messages, channel_ids) AS a (id, channel_message_id)
          ORDER BY a.id OFFSET 0) a
      CROSS JOIN LATERAL (
        SELECT f.ctid AS row, f.id, f.status, f.conversation_id FROM message f
        WHERE (f.organization_id, f.id) >= (of_organization, a.id)
        ORDER BY f.organization_id, f.id LIMIT 1) m
    WHERE m.id = a.id
  ), known AS (
    INSERT INTO channel_message (organization_id, key, message_id)
    SELECT of_organization, channel_key(old.channel_message_id), old.id FROM old
    ON CONFLICT DO NOTHING
  )
  UPDATE message m SET
    channel_message_id = CASE WHEN old.tombstone THEN NULL ELSE old.channel_message_id END,
    status = CASE WHEN old.rises THEN 'Sent' ELSE m.status END,
    status_at = CASE WHEN old.rises THEN now() ELSE m.status_at END,
    error_code = CASE WHEN old.rises THEN NULL ELSE m.error_code END,
    error_text = CASE WHEN old.rises THEN NULL ELSE m.error_text END
  FROM old
  WHERE m.ctid = old.row AND m.organization_id = of_organization
  RETURNING m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, old.status, m.status, m.error_code,
    m.error_text, coalesce(m.status_at, now());
END $$;
