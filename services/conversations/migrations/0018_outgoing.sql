-- What may be sent now is found whatever the planner takes the queue for.

-- As before, with since when a row is due, but what is before it is asked for as the first of an order, which only the
-- right index has: to a planner that thinks the queue empty, the number's whole queue was as good, for each row.
DROP FUNCTION outgoing_next(uuid, text, bigint, uuid, int, int);
CREATE FUNCTION outgoing_next(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int,
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

-- A floor of times: see common/events/queue_floor.hpp. Who makes a row Due or Sending says when by the clock, not by when its
-- transaction began. While something waits, of a stopped number too, the floor waits with it.
ALTER TABLE outgoing ALTER COLUMN due_at SET DEFAULT clock_timestamp();
DROP INDEX outgoing_unsettled;
CREATE INDEX outgoing_state ON outgoing (state, due_at);

CREATE FUNCTION moment(microseconds bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT 'epoch'::timestamptz + microseconds * interval '1 microsecond' $$;

-- When the first row behind a floor that is Due or Sending has been so.
CREATE FUNCTION outgoing_first(after timestamptz) RETURNS timestamptz
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

-- The last of as many rows as outgoing_next() looks at, if there are so many.
CREATE FUNCTION outgoing_edge(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int)
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

-- The rows in a state whose time is behind a floor and has come, the oldest first.
CREATE FUNCTION outgoing_past(in_state text, after timestamptz, until timestamptz, most int)
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

-- The next numbers beyond one of which something behind a floor is due. Those of the first rows that are due are all, unless
-- these are so many that others may be behind them: then each number that something was ever to be sent from is looked at.
-- Rows are asked for as the first of an order, as above.
CREATE FUNCTION sending_numbers(after_organization uuid, after_number text, most int, after timestamptz)
  RETURNS TABLE (organization_id uuid, phone_number_id text)
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

-- Where rows are, by their keys. Each is asked for as the first of the primary key's order from its own key on.
CREATE FUNCTION outgoing_places(of_organization uuid, messages uuid[], kinds text[])
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

-- Makes these rows Sending that are still Due as they were seen, in the order given; none that another changes meanwhile.
CREATE FUNCTION outgoing_claim(of_organization uuid, of_number text, of_owner uuid, of_claim uuid, messages uuid[], kinds text[],
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

-- Puts back what a claim has of these messages, if it was made at all. If it is being made, this waits until it has ended;
-- if it has not begun, it will not find the rows as they were seen.
CREATE FUNCTION outgoing_unclaim(of_organization uuid, of_claim uuid, messages uuid[]) RETURNS void
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
  -- Another statement sees what these rows are now.
  UPDATE outgoing o SET state = 'Due', attempt = CASE o.state WHEN 'Due' THEN o.attempt ELSE o.attempt - 1 END,
    due_at = CASE o.state WHEN 'Due' THEN o.due_at + interval '1 microsecond' ELSE clock_timestamp() END
  FROM outgoing_places(of_organization, twice, kinds) p
  WHERE o.ctid = p.at AND (o.state = 'Due' OR (o.claim = of_claim AND o.state IN ('Sending', 'InDoubt'))) IS TRUE;
END $$;

-- Of what is posted to webhooks: the same.
ALTER TABLE webhook_delivery ALTER COLUMN due_at SET DEFAULT clock_timestamp();

-- When the first delivery behind a floor is due.
CREATE FUNCTION deliveries_first(after timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN (SELECT due_at FROM webhook_delivery WHERE due_at > after AND due_at <= now() ORDER BY due_at LIMIT 1);
END $$;

-- Where the deliveries behind a floor are that are due, but not more of one webhook than it may hold up; nothing of those that are
-- busy. The webhooks are found as numbers are above.
CREATE FUNCTION deliveries_due(after timestamptz, busy uuid[], most_of_one int, most int)
  RETURNS SETOF tid
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
DECLARE
  seen CONSTANT int := 1000;
  is_all bool := (
    SELECT count(*) < seen
    FROM (SELECT FROM webhook_delivery WHERE due_at > after AND due_at <= now() ORDER BY due_at LIMIT seen) f);
BEGIN
  RETURN QUERY
  SELECT d.ctid
  FROM (
    SELECT f.organization_id, f.webhook_id
    FROM (SELECT organization_id, webhook_id FROM webhook_delivery
          WHERE is_all AND due_at > after AND due_at <= now() ORDER BY due_at LIMIT seen) f
    UNION
    SELECT w.organization_id, w.id FROM webhook w WHERE NOT is_all) n
    CROSS JOIN LATERAL (
      SELECT o.ctid, o.due_at FROM webhook_delivery o
      WHERE o.organization_id = n.organization_id AND o.webhook_id = n.webhook_id AND o.due_at > after AND o.due_at <= now()
      ORDER BY o.organization_id, o.webhook_id, o.due_at LIMIT most_of_one
      FOR UPDATE SKIP LOCKED) d
  WHERE n.webhook_id <> ALL (busy)
  ORDER BY d.due_at LIMIT most;
END $$;
