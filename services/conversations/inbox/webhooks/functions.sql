-- Version 1

DROP FUNCTION IF EXISTS inbox_take(bigint, int, bigint), parked_take(text[], timestamptz, int);  -- inbox_share(), parked_share()

-- Whose a body is as far as turns go: the organization's to whose own URL it came, or, where the application's URL is
-- everybody's, the business account's that its first entry is about: what comes there the channel has signed. An
-- organization signs what comes to its own with its own secret, and could name any account.
CREATE OR REPLACE FUNCTION webhook_owner_of(organization_id uuid, body bytea) RETURNS text
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT coalesce(organization_id::text,
                        substring(encode(substring(body FOR 256), 'escape')
                                  FROM '"entry"\s*:\s*\[\s*\{\s*"id"\s*:\s*"([0-9]{1,32})"'), '') $$;

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

-- Whether there is one that nobody asks about.
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

-- As inbox_take(), in whose place it is used: the oldest that nobody has. Where there are more than fit, each owner has an
-- equal part of them, and what others leave of theirs goes to the oldest. Of each owner's none is passed over. inbox_take()
-- is the version before's.
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

-- Keeps them for who asks others about them; for no time: gives them back.
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

-- Of those that were taken before, what nobody else has or has done with.
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

-- Elements that were set aside, by what they wait for. The first behind a moment that is to be tried again:
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

-- As parked_take(), in whose place it is used: so many of each kind, where there are more an equal part of each owner's.
-- parked_take() is the version before's.
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

-- As inbox_hold(): they are due again when whoever asks is no more.
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
