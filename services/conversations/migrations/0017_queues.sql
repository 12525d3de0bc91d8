-- Queues are looked at behind a floor, whatever a snapshot keeps of what is gone.

-- Of the outbox: see common/events.

-- While anybody holds a snapshot (a dump, a long report, a replica that asks for it), PostgreSQL keeps all rows and row
-- versions that have gone since, and a scan that begins at the front of a queue goes through them each time. So scans
-- begin behind a floor that a process remembers (common/events/queue_floor.hpp), and by an index: a queue is empty when
-- its statistics are taken and long when its plans count, so the settings leave the planner nothing else.

-- Where a floor holds: a server that was restarted, recovered or replaced, or a table that was made anew, may give ids
-- again.
CREATE FUNCTION queue_world(queue regclass) RETURNS text
  LANGUAGE sql STABLE
  AS $$ SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
                         (SELECT extract(epoch FROM stats_reset) FROM pg_stat_bgwriter),
                         queue::oid, pg_relation_filenode(queue)) $$;

CREATE FUNCTION queue_floor(queue regclass, remembered bigint, world text) RETURNS bigint
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT CASE WHEN world = queue_world(queue) THEN remembered ELSE 0 END $$;

-- The transactions that may have inserted: whoever inserts takes this lock before its rows get ids, and keeps it until
-- others see the rows.
CREATE FUNCTION queue_writers(queue regclass) RETURNS text[]
  LANGUAGE sql STABLE
  AS $$ SELECT ARRAY(
          SELECT DISTINCT l.virtualtransaction
          FROM pg_locks l
          WHERE l.locktype = 'relation' AND l.relation = queue AND l.mode = 'RowExclusiveLock' AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) $$;

-- The page of the one row of `feed`, whose versions are many. A session remembers where it was last; it is there or
-- behind, or else it is looked for everywhere.
CREATE FUNCTION feed_page() RETURNS tid
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
DECLARE
  page tid := coalesce(nullif(current_setting('parley.feed_page', true), ''), '(0,0)');
  place tid;
BEGIN
  SELECT ctid INTO place FROM feed WHERE ctid >= page;
  IF NOT FOUND THEN
    SELECT ctid INTO place FROM feed;
  END IF;
  place := format('(%s,0)', (place::text::point)[0]);
  IF place <> page THEN
    PERFORM set_config('parley.feed_page', place::text, false);
  END IF;
  RETURN place;
END $$;

CREATE FUNCTION feed_now() RETURNS SETOF feed
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT f.* FROM feed f WHERE f.ctid >= feed_page();
END $$;

-- The first events without a position behind a floor, in their order.
CREATE FUNCTION outbox_new(after bigint, most int) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY SELECT id FROM outbox WHERE position IS NULL AND id > after ORDER BY id LIMIT most;
END $$;

-- How many they are, and since when one of them waits.
CREATE FUNCTION outbox_pending(after bigint, most int) RETURNS TABLE (pending bigint, oldest timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT count(*), min(o.created_at)
  FROM (SELECT created_at FROM outbox WHERE position IS NULL AND id > after ORDER BY id LIMIT most) o;
END $$;

-- Gives the next positions to these events, whose ids are in order, and tells the last.
CREATE FUNCTION outbox_place(ids bigint[]) RETURNS bigint
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
DECLARE
  n bigint := cardinality(ids);
  last bigint;
BEGIN
  UPDATE feed SET head = head + n WHERE ctid >= feed_page() RETURNING head INTO last;
  IF NOT FOUND THEN  -- pruning has moved it meanwhile
    UPDATE feed SET head = head + n RETURNING head INTO last;
  END IF;
  UPDATE outbox SET position = last - n + width_bucket(id, ids) WHERE id = ANY (ids);
  RETURN last;
END $$;

-- Deletes what every consumer has acknowledged and is of some age, or what is older than the retention: the last
-- position, and how many. Only from the front, so that a gap is never behind what is left: positions are not in the
-- order of ages.
CREATE FUNCTION outbox_prune(retention_seconds bigint, least_seconds bigint, most int)
  RETURNS TABLE (pruned bigint, events bigint)
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
DECLARE
  acknowledged_by_all bigint := (SELECT min(c.acknowledged) FROM feed_consumer c);
  begin_behind bigint := (SELECT f.pruned FROM feed_now() f);
  last bigint;
BEGIN
  WITH gone AS (
    DELETE FROM outbox
    WHERE id = ANY (ARRAY(
      SELECT o.id
      FROM (SELECT f.id, bool_and(f.created_at < now() - make_interval(secs => retention_seconds)
                                  OR f.position <= coalesce(acknowledged_by_all, -1)
                                    AND f.created_at < now() - make_interval(secs => least_seconds))
                           OVER (ORDER BY f.position) AS may_go
            FROM (SELECT a.id, a.position, a.created_at FROM outbox a
                  WHERE a.position > begin_behind ORDER BY a.position LIMIT most) f) o
      WHERE o.may_go))
    RETURNING position
  )
  SELECT max(g.position), count(*) INTO last, events FROM gone g;
  IF events = 0 THEN
    RETURN;
  END IF;
  UPDATE feed f SET pruned = greatest(f.pruned, last) WHERE f.ctid >= feed_page() RETURNING f.pruned INTO pruned;
  IF NOT FOUND THEN  -- another event has moved it meanwhile
    UPDATE feed f SET pruned = greatest(f.pruned, last) RETURNING f.pruned INTO pruned;
  END IF;
  RETURN NEXT;
END $$;

-- As before, but for where the row is.
CREATE OR REPLACE FUNCTION is_restored() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT coalesce(home <> incarnation(), false) FROM feed_now() $$;

-- Of webhooks.

CREATE FUNCTION inbox_next(after bigint, most int) RETURNS TABLE (id bigint, received_at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY SELECT i.id, i.received_at FROM inbox i WHERE i.id > after ORDER BY i.id LIMIT most;
END $$;

-- Whether there is one that nobody asks about.
CREATE FUNCTION inbox_has_free(after bigint) RETURNS boolean
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM inbox i WHERE i.id > after AND (i.asked_until IS NULL OR i.asked_until <= now()));
END $$;

-- The oldest that nobody has, as many as fit, but always one.
CREATE FUNCTION inbox_take(after bigint, most int, most_octets bigint) RETURNS SETOF inbox
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  RETURN QUERY
  WITH free AS MATERIALIZED (
    SELECT i.id, octet_length(i.body) AS octets FROM inbox i
    WHERE i.id > after AND (i.asked_until IS NULL OR i.asked_until <= now())
    ORDER BY i.id LIMIT most
    FOR UPDATE SKIP LOCKED
  )
  SELECT i.*
  FROM (SELECT f.id, sum(f.octets) OVER (ORDER BY f.id) AS octets, row_number() OVER (ORDER BY f.id) AS ordinal
        FROM free f) p
    CROSS JOIN LATERAL (SELECT t.* FROM inbox t WHERE t.id = p.id LIMIT 1) i
  WHERE p.octets <= most_octets OR p.ordinal = 1;
END $$;

-- Keeps them for who asks others about them; for no time: gives them back.
CREATE FUNCTION inbox_hold(ids bigint[], seconds bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  UPDATE inbox SET asked_until = now() + make_interval(secs => seconds) WHERE id = ANY (ids);
END $$;

-- Of those that were taken before, what nobody else has or has done with.
CREATE FUNCTION inbox_take_again(ids bigint[]) RETURNS SETOF bigint
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT id FROM inbox WHERE id = ANY (ids) FOR UPDATE SKIP LOCKED;
END $$;

CREATE FUNCTION inbox_finish(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  DELETE FROM inbox WHERE id = ANY (ids);
END $$;

-- Elements that were set aside, by what they wait for. The first behind a moment that is to be tried again:
CREATE FUNCTION parked_next(kinds text[], after timestamptz) RETURNS TABLE (due_at timestamptz, received_at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT p.due_at, p.received_at
  FROM unnest(kinds) AS k (kind)
    CROSS JOIN LATERAL (
      SELECT e.due_at, e.received_at FROM parked_element e
      WHERE e.awaits = k.kind AND e.due_at > after ORDER BY e.due_at, e.id LIMIT 1) p
  ORDER BY p.due_at LIMIT 1;
END $$;

-- Those that are due and that nobody has, so many of each kind.
CREATE FUNCTION parked_take(kinds text[], after timestamptz, most int) RETURNS SETOF parked_element
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT p.*
  FROM unnest(kinds) AS k (kind)
    CROSS JOIN LATERAL (
      SELECT e.* FROM parked_element e
      WHERE e.awaits = k.kind AND e.due_at > after AND e.due_at <= now() ORDER BY e.due_at, e.id LIMIT most
      FOR UPDATE SKIP LOCKED) p;
END $$;

-- As inbox_hold(): they are due again when whoever asks is no more.
CREATE FUNCTION parked_hold(ids bigint[], seconds bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  UPDATE parked_element SET due_at = now() + make_interval(secs => seconds) WHERE id = ANY (ids);
END $$;

CREATE FUNCTION parked_take_again(ids bigint[]) RETURNS SETOF bigint
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT id FROM parked_element WHERE id = ANY (ids) FOR UPDATE SKIP LOCKED;
END $$;

CREATE FUNCTION parked_again(element_id bigint, of_organization uuid, why text, seconds bigint, awaited text, attempt int)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  UPDATE parked_element
  SET organization_id = coalesce(of_organization, organization_id), error = why,
    due_at = now() + make_interval(secs => seconds), awaits = awaited, attempts = attempt
  WHERE id = element_id;
END $$;

CREATE FUNCTION parked_finish(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  DELETE FROM parked_element WHERE id = ANY (ids);
END $$;
