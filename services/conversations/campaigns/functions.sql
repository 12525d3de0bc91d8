-- Version 1 of campaigns

-- Due rows of campaigns that have ended, at most `most`. A stopped dispatcher may put messages back at any time after
-- the end, so the campaigns are found by the queue: one index descent for each, however many rows it has.
CREATE OR REPLACE FUNCTION ended_outgoing(most int)
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

-- The recipient of a campaign with that contact id, or no row. ORDER BY .. LIMIT 1 forces the right index: the planner
-- may still think the table empty. Without SET, so that it is inlined.
CREATE OR REPLACE FUNCTION target_of(of_organization uuid, of_campaign uuid, of_contact uuid) RETURNS SETOF target
  LANGUAGE sql STABLE
AS $$
  SELECT t.*
  FROM (SELECT f.* FROM target f
        WHERE (f.organization_id, f.campaign_id, f.contact_id) >= (of_organization, of_campaign, of_contact)
        ORDER BY f.organization_id, f.campaign_id, f.contact_id LIMIT 1) t
  WHERE t.campaign_id = of_campaign AND t.contact_id = of_contact
$$;

-- Whether a merged contact is a recipient of a campaign that may still send: then the merge must be kept.
CREATE OR REPLACE FUNCTION is_open_recipient(of_organization uuid, of_contact uuid) RETURNS bool
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM campaign c
      CROSS JOIN LATERAL target_of(of_organization, c.id, of_contact) t
    WHERE c.organization_id = of_organization AND c.status IN ('Scheduled', 'Running', 'Paused'));
END $$;

-- All ids of a person: a contact's, and those of the contacts merged into it.
CREATE OR REPLACE FUNCTION names_of(of_organization uuid, of_contact uuid) RETURNS uuid[]
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  AS $$ SELECT of_contact || ARRAY(SELECT g.contact_id FROM merged_contact g
                                   WHERE g.organization_id = of_organization AND g.into_id = of_contact) $$;

-- Whether a recipient must not be sent to because the same person is a recipient under another id, and was, may have
-- been or will be sent to. Among recipients that were not sent to, the first is sent to, in this order: one with a
-- message; the id into which others were merged; ordinals. A message that surely failed before the channel accepted it
-- holds nobody back. Recipients up to campaign.doubtful may have been sent to, and are not sent to again.
CREATE OR REPLACE FUNCTION is_sent_under_other_name(of_organization uuid, of_campaign uuid, of_contact uuid, of_message uuid) RETURNS bool
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  person uuid := coalesce((SELECT g.into_id FROM merged_contact g
                           WHERE g.organization_id = of_organization AND g.contact_id = of_contact), of_contact);
  names uuid[] := names_of(of_organization, person);
BEGIN
  IF cardinality(names) = 1 THEN  -- the usual case
    RETURN false;
  END IF;
  RETURN (
    WITH recipient AS MATERIALIZED (
      SELECT t.message_id, ARRAY[(m.id IS NULL)::int, (t.contact_id <> person)::int, t.ordinal] AS place,
        m.id IS NULL AND t.ordinal <= c.doubtful AS is_doubtful,
        CASE
          WHEN m.id IS NULL THEN t.skipped IS NULL AND t.ordinal > c.doubtful
          ELSE m.status = 'Queued' AND EXISTS (
            SELECT FROM outgoing o
            WHERE o.organization_id = of_organization AND o.message_id = m.id AND o.kind = 'Message' AND o.state = 'Due')
        END AS is_waiting,
        CASE
          WHEN m.id IS NULL THEN t.skipped IS NULL AND t.ordinal <= c.doubtful
          WHEN m.status = 'Failed' THEN
            m.channel_message_id IS NOT NULL OR (m.error_code IS NULL AND coalesce(m.error_text, 'unknown') = 'unknown')
          ELSE true
        END AS is_made
      FROM campaign c
        CROSS JOIN unnest(names) AS n (contact_id)
        CROSS JOIN LATERAL target_of(of_organization, of_campaign, n.contact_id) t
        LEFT JOIN LATERAL (
          SELECT s.id, s.status, s.channel_message_id, s.error_code, s.error_text FROM message s
          WHERE s.organization_id = of_organization AND s.id = t.message_id LIMIT 1) m ON true
      WHERE c.organization_id = of_organization AND c.id = of_campaign
    )
    SELECT count(*) > 0
    FROM recipient r LEFT JOIN recipient own ON own.message_id = of_message
    WHERE r.message_id <> of_message AND own.is_doubtful IS NOT TRUE
      AND CASE WHEN r.is_waiting THEN r.place < own.place ELSE r.is_made END);
END $$;
