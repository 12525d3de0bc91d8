-- Version 1 of subscriptions

DROP FUNCTION IF EXISTS deliveries_due(timestamptz, uuid[], int, int);  -- replaced by deliveries_shared()

-- When the first delivery above a floor is due.
CREATE OR REPLACE FUNCTION deliveries_first(after timestamptz) RETURNS timestamptz
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

-- Where due deliveries above a floor are, shared among organizations, at most `most_of_one` of a webhook and none of
-- `busy` ones. `holders` hold `held` places: the organization with the fewest gets the next one, and may have as many
-- as are free then; reserved places go only to organizations without one, as in async::Shares.
CREATE OR REPLACE FUNCTION deliveries_shared(after timestamptz, busy uuid[], holders uuid[], held bigint[], most_of_one int, reserved int,
                                  most int)
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
  SELECT t.place
  FROM (
    SELECT c.place, c.rank, row_number() OVER (ORDER BY c.rank, c.due_at) AS turn
    FROM (
      SELECT d.ctid AS place, d.due_at,
        n.held + row_number() OVER (PARTITION BY n.organization_id ORDER BY d.due_at) AS rank
      FROM (
        SELECT w.organization_id, w.webhook_id, coalesce(held[array_position(holders, w.organization_id)], 0) AS held
        FROM (
          SELECT f.organization_id, f.webhook_id
          FROM (SELECT organization_id, webhook_id FROM webhook_delivery
                WHERE is_all AND due_at > after AND due_at <= now() ORDER BY due_at LIMIT seen) f
          UNION
          SELECT w.organization_id, w.id FROM webhook w WHERE NOT is_all) w
        WHERE w.webhook_id <> ALL (busy)) n
        CROSS JOIN LATERAL (
          SELECT o.ctid, o.due_at FROM webhook_delivery o
          WHERE o.organization_id = n.organization_id AND o.webhook_id = n.webhook_id AND o.due_at > after AND o.due_at <= now()
          ORDER BY o.organization_id, o.webhook_id, o.due_at LIMIT most_of_one
          FOR UPDATE SKIP LOCKED) d
      WHERE n.held = 0 OR most > greatest(n.held, reserved)) c) t
  WHERE t.turn <= most - CASE t.rank WHEN 1 THEN 0 ELSE greatest(t.rank - 1, reserved) END;
END $$;
