-- What webhooks brought is applied by turns, so that who has much of it is not waited for by who has little.

-- Whose a body is as far as turns go: the organization's to whose own URL it came, or, where the application's URL is
-- everybody's, the business account's that its first entry is about: what comes there the channel has signed. An
-- organization signs what comes to its own with its own secret, and could name any account.
CREATE FUNCTION webhook_owner_of(organization_id uuid, body bytea) RETURNS text
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT coalesce(organization_id::text,
                        substring(encode(substring(body FOR 256), 'escape')
                                  FROM '"entry"\s*:\s*\[\s*\{\s*"id"\s*:\s*"([0-9]{1,32})"'), '') $$;

-- All that ever had a body in the inbox, as a queue cannot tell its owners without being read whole.
CREATE TABLE webhook_owner (owner text PRIMARY KEY);

-- '': nobody's, and what the version before this one writes. They are one owner.
ALTER TABLE inbox ADD COLUMN owner text NOT NULL DEFAULT '';
ALTER TABLE parked_element ADD COLUMN owner text NOT NULL DEFAULT '';
INSERT INTO webhook_owner VALUES ('');
-- Not of `id` itself: what is looked for by its id, when the table seems empty, would be looked for in all of this index.
CREATE INDEX inbox_owner ON inbox (owner, (id + 0));
CREATE INDEX parked_element_owner ON parked_element (awaits, owner, due_at, id) WHERE due_at IS NOT NULL;

-- The bounds of an owner's are rows' so that only the index of owners has the order that is asked for.

-- As inbox_take(), in whose place it is used: the oldest that nobody has. Where there are more than fit, each owner has an
-- equal part of them, and what others leave of theirs goes to the oldest. Of each owner's none is passed over. inbox_take()
-- is the version before's.
CREATE FUNCTION inbox_share(after bigint, most int, most_octets bigint) RETURNS SETOF inbox
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

-- As parked_take(), in whose place it is used: so many of each kind, where there are more an equal part of each owner's.
-- parked_take() is the version before's.
CREATE FUNCTION parked_share(kinds text[], after timestamptz, most int) RETURNS SETOF parked_element
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
