-- Version 2 of webhooks

-- Replaced by inbox_share(), parked_share().
DROP FUNCTION IF EXISTS inbox_take(bigint, int, bigint), parked_take(text[], timestamptz, int);

-- Whose turn a body takes: the organization's whose URL received it, or, at the application's URL, the business
-- account's of its first entry, as the channel signs those bodies. An organization signs bodies to its own URL, and
-- could name any account.
CREATE OR REPLACE FUNCTION webhook_owner_of(organization_id uuid, body bytea) RETURNS text
  LANGUAGE sql IMMUTABLE
  -- Without a bounded repetition and a capture, which would take three times as long.
  AS $$ SELECT coalesce(organization_id::text,
                        left(split_part(substring(encode(substring(body FOR 256), 'escape')
                                                  FROM '"entry"\s*:\s*\[\s*\{\s*"id"\s*:\s*"[0-9]+"'), '"', 6), 32),
                        '') $$;

CREATE OR REPLACE FUNCTION inbox_next(after bigint, most int) RETURNS TABLE (id bigint, received_at timestamptz)
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

-- Whether a body is there that no process asks about.
CREATE OR REPLACE FUNCTION inbox_has_free(after bigint) RETURNS boolean
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM inbox i WHERE i.id > after AND (i.asked_until IS NULL OR i.asked_until <= now()));
END $$;

-- Takes the oldest free bodies that fit, at least one. If there are more, each owner gets an equal part, in its own
-- order, and what remains goes to the oldest.
CREATE OR REPLACE FUNCTION inbox_share(after bigint, most int, most_octets bigint) RETURNS SETOF inbox
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
  last CONSTANT bigint := 9223372036854775807;
  owners text[];
  ids bigint[];
  fit bool;
  part int;
BEGIN
  SELECT array_agg(DISTINCT f.owner), count(*) < most AND sum(f.octets) <= most_octets INTO owners, fit
  FROM (SELECT i.owner, octet_length(i.body) AS octets FROM inbox i WHERE i.id > after ORDER BY i.id LIMIT most) f;
  IF NOT fit THEN
    owners := ARRAY(
      SELECT o.owner
      FROM (SELECT unnest(owners) AS owner UNION SELECT w.owner FROM webhook_owner w) o
        CROSS JOIN LATERAL (
          SELECT i.id FROM inbox i
          WHERE (i.owner, i.id + 0) > (o.owner, after) AND (i.owner, i.id + 0) <= (o.owner, last)
            AND (i.asked_until IS NULL OR i.asked_until <= now())
          ORDER BY i.owner, i.id + 0 LIMIT 1) f
      ORDER BY f.id LIMIT most);
    part := ceil(most / greatest(cardinality(owners), 1)::numeric);
    ids := ARRAY(
      SELECT f.id
      FROM (SELECT l.id, l.octets, row_number() OVER (PARTITION BY o.owner ORDER BY l.id) AS rank
            FROM unnest(owners) AS o (owner)
              CROSS JOIN LATERAL (
                SELECT i.id, octet_length(i.body) AS octets FROM inbox i
                WHERE (i.owner, i.id + 0) > (o.owner, after) AND (i.owner, i.id + 0) <= (o.owner, last)
                  AND (i.asked_until IS NULL OR i.asked_until <= now())
                ORDER BY i.owner, i.id + 0 LIMIT part
                FOR UPDATE SKIP LOCKED) l) f
      ORDER BY f.rank, f.octets, f.id LIMIT most);
  END IF;
  ids := ids || ARRAY(
    SELECT i.id FROM inbox i
    WHERE i.id > after AND (i.asked_until IS NULL OR i.asked_until <= now()) AND (ids IS NULL OR i.id <> ALL (ids))
    ORDER BY i.id LIMIT most - coalesce(cardinality(ids), 0)
    FOR UPDATE SKIP LOCKED);
  RETURN QUERY
  SELECT i.*
  FROM (SELECT n.id, sum(n.octets) OVER (ORDER BY n.ordinal) - n.octets AS before
        FROM (SELECT u.id, u.ordinal, t.octets
              FROM unnest(ids) WITH ORDINALITY AS u (id, ordinal)
                CROSS JOIN LATERAL (SELECT octet_length(b.body) AS octets FROM inbox b WHERE b.id = u.id LIMIT 1) t) n) p
    CROSS JOIN LATERAL (SELECT t.* FROM inbox t WHERE t.id = p.id LIMIT 1) i
  WHERE p.before <= most_octets;
END $$;

-- Reserves them for a process that asks other services; 0 seconds: gives them back.
CREATE OR REPLACE FUNCTION inbox_hold(ids bigint[], seconds bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  UPDATE inbox SET asked_until = now() + make_interval(secs => seconds) WHERE id = ANY (ids);
END $$;

-- Takes again those of the ids that are free and not finished.
CREATE OR REPLACE FUNCTION inbox_take_again(ids bigint[]) RETURNS SETOF bigint
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT id FROM inbox WHERE id = ANY (ids) FOR UPDATE SKIP LOCKED;
END $$;

CREATE OR REPLACE FUNCTION inbox_finish(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  DELETE FROM inbox WHERE id = ANY (ids);
END $$;

-- When the next parked element above a time is to be retried, and when it was received.
CREATE OR REPLACE FUNCTION parked_next(kinds text[], after timestamptz) RETURNS TABLE (due_at timestamptz, received_at timestamptz)
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

-- Takes due elements, at most `most` of each kind; if there are more, an equal part of each owner's.
CREATE OR REPLACE FUNCTION parked_share(kinds text[], after timestamptz, most int) RETURNS SETOF parked_element
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
  awaited text;
  owners text[];
  fit bool;
BEGIN
  FOREACH awaited IN ARRAY kinds LOOP
    SELECT array_agg(DISTINCT f.owner), count(*) < most INTO owners, fit
    FROM (SELECT e.owner FROM parked_element e
          WHERE e.awaits = awaited AND e.due_at > after AND e.due_at <= now() ORDER BY e.due_at, e.id LIMIT most) f;
    IF NOT fit THEN
      owners := ARRAY(
        SELECT o.owner
        FROM (SELECT unnest(owners) AS owner UNION SELECT w.owner FROM webhook_owner w) o
          CROSS JOIN LATERAL (
            SELECT e.due_at, e.id FROM parked_element e
            WHERE (e.awaits, e.owner, e.due_at) > (awaited, o.owner, after)
              AND (e.awaits, e.owner, e.due_at) <= (awaited, o.owner, now()) AND e.due_at IS NOT NULL
            ORDER BY e.awaits, e.owner, e.due_at, e.id LIMIT 1) f
        ORDER BY f.due_at, f.id LIMIT most);
    END IF;
    RETURN QUERY
    SELECT p.*
    FROM unnest(owners) AS o (owner)
      CROSS JOIN LATERAL (
        SELECT e.* FROM parked_element e
        WHERE (e.awaits, e.owner, e.due_at) > (awaited, o.owner, after)
          AND (e.awaits, e.owner, e.due_at) <= (awaited, o.owner, now()) AND e.due_at IS NOT NULL
        ORDER BY e.awaits, e.owner, e.due_at, e.id
        LIMIT CASE WHEN fit THEN most ELSE ceil(most / greatest(cardinality(owners), 1)::numeric)::int END
        FOR UPDATE SKIP LOCKED) p;
  END LOOP;
END $$;

-- As inbox_hold(): due again when the process that asks is gone.
CREATE OR REPLACE FUNCTION parked_hold(ids bigint[], seconds bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  UPDATE parked_element SET due_at = now() + make_interval(secs => seconds) WHERE id = ANY (ids);
END $$;

CREATE OR REPLACE FUNCTION parked_take_again(ids bigint[]) RETURNS SETOF bigint
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  RETURN QUERY SELECT id FROM parked_element WHERE id = ANY (ids) FOR UPDATE SKIP LOCKED;
END $$;

CREATE OR REPLACE FUNCTION parked_again(element_id bigint, of_organization uuid, why text, seconds bigint, awaited text, attempt int)
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

CREATE OR REPLACE FUNCTION parked_finish(ids bigint[]) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
BEGIN
  DELETE FROM parked_element WHERE id = ANY (ids);
END $$;
