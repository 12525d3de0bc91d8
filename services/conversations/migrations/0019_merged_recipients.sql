-- Recipients of a campaign that are one person: a contact and all that were merged into it. That person is sent to once.

CREATE INDEX merged_contact_into ON merged_contact (organization_id, into_id);
CREATE INDEX campaign_open ON campaign (organization_id, id) WHERE status IN ('Scheduled', 'Running', 'Paused');

-- A campaign's recipient of that name, or none. It is found as the first of an order, since only the right index has that:
-- a campaign may have filled the table a minute after the planner has seen it empty. Nothing is set here, so that it becomes
-- a part of the query that it stands in.
CREATE FUNCTION target_of(of_organization uuid, of_campaign uuid, of_contact uuid) RETURNS SETOF target
  LANGUAGE sql STABLE
AS $$
  SELECT t.*
  FROM (SELECT f.* FROM target f
        WHERE (f.organization_id, f.campaign_id, f.contact_id) >= (of_organization, of_campaign, of_contact)
        ORDER BY f.organization_id, f.campaign_id, f.contact_id LIMIT 1) t
  WHERE t.campaign_id = of_campaign AND t.contact_id = of_contact
$$;

-- Whether a merged contact is a recipient of a campaign that may still send: then the merge is to be remembered.
CREATE FUNCTION is_open_recipient(of_organization uuid, of_contact uuid) RETURNS bool
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

-- All names of a person: a contact's, and those of all that were merged into it.
CREATE FUNCTION names_of(of_organization uuid, of_contact uuid) RETURNS uuid[]
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  AS $$ SELECT of_contact || ARRAY(SELECT g.contact_id FROM merged_contact g
                                   WHERE g.organization_id = of_organization AND g.into_id = of_contact) $$;

-- Whoever forgets a merge too early does not. When it is time, what still has the old name gets the other one, or, where
-- another recipient has that, says of nobody any more who it was: from then on nobody knows whose name it is.
CREATE FUNCTION forget_merged() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  named record;
BEGIN
  IF EXISTS (SELECT FROM merged_contact g
             WHERE g.organization_id = OLD.organization_id AND g.contact_id = OLD.into_id AND g.into_id = OLD.contact_id) THEN
    RETURN OLD;  -- it is there again, with all that it had
  END IF;
  IF is_open_recipient(OLD.organization_id, OLD.contact_id) THEN
    RETURN NULL;
  END IF;
  FOR named IN
    SELECT t.campaign_id, t.ordinal, EXISTS (SELECT FROM target_of(OLD.organization_id, c.id, OLD.into_id)) AS twice
    FROM campaign c CROSS JOIN LATERAL target_of(OLD.organization_id, c.id, OLD.contact_id) t
    WHERE c.organization_id = OLD.organization_id
    ORDER BY t.campaign_id
  LOOP
    -- Both keys, so that either's index finds the row.
    UPDATE target t SET
      contact_id = CASE WHEN named.twice THEN t.contact_id ELSE OLD.into_id END,
      recipient = CASE WHEN named.twice THEN '' ELSE t.recipient END,
      parameters = CASE WHEN named.twice THEN '{}' ELSE t.parameters END
    WHERE t.organization_id = OLD.organization_id AND t.campaign_id = named.campaign_id AND t.ordinal = named.ordinal
      AND t.contact_id = OLD.contact_id;
  END LOOP;
  RETURN OLD;
END $$;
CREATE TRIGGER forget_merged BEFORE DELETE ON merged_contact FOR EACH ROW EXECUTE FUNCTION forget_merged();

-- A contact is not removed as long as something is known of a recipient under another name of it: the version before removes
-- what has the contact's own name. Then this one's turn comes, in which that is removed.
CREATE FUNCTION keep_removal() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  IF EXISTS (SELECT FROM merged_contact g
               JOIN campaign c ON c.organization_id = OLD.organization_id
               CROSS JOIN LATERAL target_of(OLD.organization_id, c.id, g.contact_id) t
             WHERE g.organization_id = OLD.organization_id AND g.into_id = OLD.id
               AND (t.recipient <> '' OR t.parameters <> '{}')) THEN
    UPDATE removal r SET due_at = now() + interval '5 seconds'
    WHERE r.organization_id = OLD.organization_id AND r.kind = OLD.kind AND r.id = OLD.id;
    RETURN NULL;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_removal BEFORE DELETE ON removal FOR EACH ROW
  WHEN (OLD.kind IN ('contact', 'lost contact') AND OLD.due_at <= now()) EXECUTE FUNCTION keep_removal();

-- Nor does a recipient get another name while the campaign's audience may still bring that one: it comes in the order of
-- contacts.
CREATE FUNCTION keep_name() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF EXISTS (SELECT FROM campaign c
             WHERE c.organization_id = NEW.organization_id AND c.id = NEW.campaign_id
               AND c.status IN ('Scheduled', 'Running', 'Paused') AND NOT c.audience_done
               AND c.audience_after < NEW.contact_id) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_name BEFORE UPDATE OF contact_id ON target FOR EACH ROW
  WHEN (OLD.contact_id <> NEW.contact_id) EXECUTE FUNCTION keep_name();

-- Whether a recipient of a campaign is not to be sent to, as the same person is one under another name too and has been
-- sent to, or may have been, or is going to be. Those to whom nothing was sent have an order, and the first is sent to: who
-- has a message, then who has the name that the others were merged into, then by ordinals. What surely failed before the
-- channel took it keeps nobody back. Up to campaign.doubtful they may have been sent to, and are not sent to anyway.
CREATE FUNCTION is_sent_under_other_name(of_organization uuid, of_campaign uuid, of_contact uuid, of_message uuid) RETURNS bool
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
  IF cardinality(names) = 1 THEN  -- as nearly all are
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

-- As before, but for who is a double.
CREATE OR REPLACE FUNCTION campaign_targets(of_organization uuid, of_campaign uuid, ordinals int[])
  RETURNS TABLE (place bigint, ordinal int, contact_id uuid, message_id uuid, reason text)
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
  any_merged bool := EXISTS (SELECT FROM merged_contact g WHERE g.organization_id = of_organization);
BEGIN
  RETURN QUERY
  SELECT w.place, w.ordinal, t.contact_id, t.message_id,
    CASE WHEN t.is_merged AND is_sent_under_other_name(of_organization, of_campaign, t.contact_id, t.message_id)
           THEN 'Duplicate'
         WHEN (SELECT true FROM removal r
               WHERE r.organization_id = of_organization AND r.kind IN ('contact', 'lost contact') AND r.id = t.contact_id
               LIMIT 1) THEN 'Deleted'
         ELSE (SELECT CASE WHEN s.blocked THEN 'Blocked' WHEN s.opted_out THEN 'OptedOut' END
               FROM suppression s WHERE s.organization_id = of_organization AND s.contact_id = t.contact_id) END AS reason
  FROM unnest(ordinals) WITH ORDINALITY AS w (ordinal, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(g.into_id, t.contact_id) AS contact_id, t.message_id,
        any_merged AND (g.into_id IS NOT NULL OR EXISTS (
          SELECT FROM merged_contact h
          WHERE h.organization_id = of_organization AND h.into_id = t.contact_id)) AS is_merged
      FROM (SELECT f.campaign_id, f.ordinal, f.contact_id, f.message_id, f.skipped
            FROM target f
            WHERE (f.organization_id, f.campaign_id, f.ordinal) >= (of_organization, of_campaign, w.ordinal)
            ORDER BY f.organization_id, f.campaign_id, f.ordinal LIMIT 1) t
        LEFT JOIN merged_contact g ON g.organization_id = of_organization AND g.contact_id = t.contact_id
      WHERE t.campaign_id = of_campaign AND t.ordinal = w.ordinal AND t.skipped IS NULL) t
  WHERE (SELECT m.id FROM message m
         WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
         ORDER BY m.organization_id, m.id LIMIT 1) IS DISTINCT FROM t.message_id;
END $$;
