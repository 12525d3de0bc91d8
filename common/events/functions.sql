-- Version 2 of events

-- While a snapshot is held (a dump, a long report, a replica's feedback), PostgreSQL keeps all dead rows, and a scan
-- from the front of a queue passes them each time. So scans begin at a floor that a process remembers
-- (common/events/queue_floor.hpp), and use an index: a queue is empty when it is analyzed and long when it is planned,
-- so the SET clauses leave the planner no other choice.

-- Where a floor is valid: a server that was restarted, recovered or replaced, or a table that was made anew, may assign
-- ids again.
-- Like the next, in a language that keeps its plans: both are called with each look.
CREATE OR REPLACE FUNCTION queue_world(queue regclass) RETURNS text
  LANGUAGE plpgsql STABLE
  AS $$
BEGIN
  RETURN concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()),
                   (SELECT extract(epoch FROM stats_reset) FROM pg_stat_bgwriter),
                   queue::oid, pg_relation_filenode(queue));
END $$;

CREATE OR REPLACE FUNCTION queue_floor(queue regclass, remembered bigint, world text) RETURNS bigint
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  AS $$
BEGIN
  RETURN CASE WHEN world = queue_world(queue) THEN remembered ELSE 0 END;
END $$;

-- The transactions that may have inserted: each takes this lock before its rows get ids, and keeps it until others see
-- the rows.
CREATE OR REPLACE FUNCTION queue_writers(queue regclass) RETURNS text[]
  LANGUAGE sql STABLE
  AS $$ SELECT ARRAY(
          SELECT DISTINCT l.virtualtransaction
          FROM pg_locks l
          WHERE l.locktype = 'relation' AND l.relation = queue AND l.mode = 'RowExclusiveLock' AND l.granted
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) $$;

-- The page of the only row of `feed`, which has many versions. A session remembers the last page; the row is there or
-- behind it, or else is searched for everywhere.
CREATE OR REPLACE FUNCTION feed_page() RETURNS tid
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

CREATE OR REPLACE FUNCTION feed_now() RETURNS SETOF feed
  LANGUAGE plpgsql STABLE ROWS 1
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT f.* FROM feed f WHERE f.ctid >= feed_page();
END $$;

-- The first events without a position above a floor, in order.
CREATE OR REPLACE FUNCTION outbox_new(after bigint, most int) RETURNS SETOF bigint
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

-- The events after a position, as many as fit, but at least one. Writing an event's text costs most of reading it: each
-- is written once, and none that do not fit but the first.
CREATE OR REPLACE FUNCTION outbox_page(after bigint, most int, most_octets bigint)
  RETURNS TABLE ("position" bigint, changes text, created_at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  event record;
  octets bigint := 0;
BEGIN
  FOR event IN SELECT position, changes, created_at FROM outbox WHERE position > after ORDER BY position LIMIT most LOOP
    changes := event.changes::text;
    octets := octets + octet_length(changes);
    EXIT WHEN octets > most_octets AND octets > octet_length(changes);
    position := event.position;
    created_at := event.created_at;
    RETURN NEXT;
  END LOOP;
END $$;

-- How many there are, at most `most`, and since when the oldest waits.
CREATE OR REPLACE FUNCTION outbox_pending(after bigint, most int) RETURNS TABLE (pending bigint, oldest timestamptz)
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

-- Assigns the next positions to these events, whose ids are in order; returns the last position.
CREATE OR REPLACE FUNCTION outbox_place(ids bigint[]) RETURNS bigint
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
  IF NOT FOUND THEN  -- pruned meanwhile
    UPDATE feed SET head = head + n RETURNING head INTO last;
  END IF;
  UPDATE outbox SET position = last - n + width_bucket(id, ids) WHERE id = ANY (ids);
  RETURN last;
END $$;

-- Deletes events that every consumer acknowledged and that have a minimum age, and events older than the retention;
-- returns the last position and the count. Only from the front, so that no gap is followed by kept events: positions
-- are not in the order of ages.
CREATE OR REPLACE FUNCTION outbox_prune(retention_seconds bigint, least_seconds bigint, most int)
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
  IF NOT FOUND THEN  -- moved by another event meanwhile
    UPDATE feed f SET pruned = greatest(f.pruned, last) RETURNING f.pruned INTO pruned;
  END IF;
  RETURN NEXT;
END $$;
