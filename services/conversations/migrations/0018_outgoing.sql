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
