-- What is Due of campaigns that have ended, at most so many rows. A dispatcher that was stopped may put messages back at any
-- time after the end, so that the campaigns are found by the queue: one descent of the index each, however many rows they
-- have.
CREATE FUNCTION ended_outgoing(most int)
  RETURNS TABLE (organization_id uuid, message_id uuid, campaign_status text)
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
  nil CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  place record;
  added int;
BEGIN
  SELECT nil AS organization, nil AS campaign INTO place;
  WHILE most > 0 LOOP
    SELECT o.organization_id AS organization, o.campaign_id AS campaign INTO place
    FROM outgoing o
    WHERE o.campaign_id IS NOT NULL AND (o.organization_id, o.campaign_id) > (place.organization, place.campaign)
    ORDER BY o.organization_id, o.campaign_id LIMIT 1;
    EXIT WHEN NOT FOUND;
    RETURN QUERY
    SELECT o.organization_id, o.message_id, c.status
    FROM campaign c
      JOIN outgoing o ON o.organization_id = c.organization_id AND o.campaign_id = c.id AND o.state = 'Due'
    WHERE c.organization_id = place.organization AND c.id = place.campaign AND c.status IN ('Finished', 'Cancelled')
    LIMIT most;
    GET DIAGNOSTICS added = ROW_COUNT;
    most := most - added;
  END LOOP;
END $$;
