-- Who sent an outbound message that is no campaign's: those of campaigns and contacts follow from campaign_id and direction.
-- NULL: it was stored before this column, or by the release before. Text without a Member's or ApiKey's ids has none.
ALTER TABLE message
  ADD COLUMN sent_by text,
  ADD COLUMN sent_by_member uuid,  -- the member, or the one that the key stands for
  ADD COLUMN sent_by_key uuid;
-- Not valid: nobody reads all messages for it.
ALTER TABLE message ADD CONSTRAINT message_sent_by
  CHECK (sent_by IN ('Member', 'ApiKey', 'App', 'Automatic')) NOT VALID;

-- What an inbox asks of a conversation. A column with a default is no rewrite; 0036 fills them for what is there.
ALTER TABLE conversation
  -- The contact has written in it, whenever: also what came untold. System messages are the channel's.
  ADD COLUMN has_inbound bool NOT NULL DEFAULT false,
  -- The latest created_at of an outbound message that is no campaign's. It is awaiting an answer while it is Active and
  -- last_inbound_at is later: a campaign's message answers nobody.
  ADD COLUMN answered_at timestamptz;

-- last_inbound_at is set by the statement that writes the message, of the release before too.
CREATE FUNCTION note_inbound() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.has_inbound := true;
  RETURN NEW;
END $$;
CREATE TRIGGER note_inbound BEFORE INSERT OR UPDATE OF last_inbound_at ON conversation FOR EACH ROW
  WHEN (NEW.last_inbound_at IS NOT NULL AND NOT NEW.has_inbound)
  EXECUTE FUNCTION note_inbound();

-- In place of count_messages() and recount_message(), which know nothing of these columns.
--
-- One update per conversation for a batch of messages, in the order of keys (the settings leave the planner no other
-- way), so that two batches do not deadlock. The message that a conversation was inserted with is counted already.
-- Planned once a session: planning would take as long as counting hundreds.
CREATE FUNCTION note_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  UPDATE conversation c
  SET total_messages = c.total_messages + sign * m.total,
      unread_messages = c.unread_messages + sign * m.unread,
      last_message_at = CASE sign WHEN 1 THEN greatest(c.last_message_at, m.latest) ELSE c.last_message_at END,
      has_inbound = c.has_inbound OR (sign = 1 AND m.has_inbound),
      answered_at = CASE sign WHEN 1 THEN greatest(c.answered_at, m.answered_at) ELSE c.answered_at END,
      first_message_id = NULL
  FROM (SELECT organization_id, conversation_id, count(*) AS total, count(*) FILTER (WHERE status = 'Unread') AS unread,
               max(created_at) AS latest, bool_or(direction = 'InBound' AND message_type <> 'System') AS has_inbound,
               max(created_at) FILTER (WHERE direction = 'OutBound' AND campaign_id IS NULL AND message_type <> 'System')
                 AS answered_at
        FROM changed n
        WHERE sign = -1 OR n.id IS DISTINCT FROM (
          SELECT f.first_message_id FROM conversation f
          WHERE f.organization_id = n.organization_id AND f.id = n.conversation_id)
        GROUP BY organization_id, conversation_id ORDER BY organization_id, conversation_id) m
  WHERE c.organization_id = m.organization_id AND c.id = m.conversation_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER count_inserted AFTER INSERT ON message REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_messages();
CREATE OR REPLACE TRIGGER count_deleted AFTER DELETE ON message REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_messages();

CREATE FUNCTION note_message() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  is_theirs bool := NEW.direction = 'InBound' AND NEW.message_type <> 'System';
  is_answer bool := NEW.direction = 'OutBound' AND NEW.message_type <> 'System' AND NEW.campaign_id IS NULL;
BEGIN
  UPDATE conversation
  SET total_messages = total_messages + (id = NEW.conversation_id)::int - (id = OLD.conversation_id)::int,
      unread_messages = unread_messages + (id = NEW.conversation_id AND NEW.status = 'Unread')::int
                                        - (id = OLD.conversation_id AND OLD.status = 'Unread')::int,
      last_message_at = CASE id WHEN NEW.conversation_id THEN greatest(last_message_at, NEW.created_at) ELSE last_message_at END,
      has_inbound = has_inbound OR (id = NEW.conversation_id AND is_theirs),
      answered_at = CASE WHEN id = NEW.conversation_id AND is_answer THEN greatest(answered_at, NEW.created_at)
                         ELSE answered_at END,
      first_message_id = nullif(first_message_id, OLD.id)
  WHERE organization_id IN (OLD.organization_id, NEW.organization_id) AND id IN (OLD.conversation_id, NEW.conversation_id)
    AND (id = OLD.conversation_id OR first_message_id IS DISTINCT FROM NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER recount_updated AFTER UPDATE ON message FOR EACH ROW
  WHEN ((OLD.status = 'Unread') <> (NEW.status = 'Unread') OR OLD.conversation_id <> NEW.conversation_id
        OR OLD.created_at < NEW.created_at)
  EXECUTE FUNCTION note_message();

-- The version of filters by what messages change.
CREATE OR REPLACE TRIGGER note_unread AFTER UPDATE ON conversation FOR EACH ROW
  WHEN ((OLD.unread_messages > 0) <> (NEW.unread_messages > 0) OR OLD.has_inbound <> NEW.has_inbound
        OR (OLD.last_inbound_at > coalesce(OLD.answered_at, '-infinity'))
             IS DISTINCT FROM (NEW.last_inbound_at > coalesce(NEW.answered_at, '-infinity')))
  EXECUTE FUNCTION note_conversation('unread');

-- How many conversations there are of each kind, of all and of those that a member is in charge of: the tabs of an inbox and
-- the totals of its pages are sums of a few rows. As conversation_version, a kind has as many rows as it had concurrent
-- writers, and single rows may be negative.
CREATE TABLE conversation_tally (
  organization_id uuid NOT NULL,
  member_id uuid NOT NULL,  -- nil: all conversations
  status text NOT NULL,     -- Deleted: those that are still shown
  initiated_by text NOT NULL,
  has_inbound bool NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  total bigint NOT NULL,
  unread bigint NOT NULL,
  awaiting bigint NOT NULL,
  unassigned bigint NOT NULL,
  PRIMARY KEY (organization_id, member_id, status, initiated_by, has_inbound, slot)
) WITH (fillfactor = 50);

-- Until the triggers below are there, nobody adds or changes a conversation.
LOCK TABLE conversation IN SHARE ROW EXCLUSIVE MODE;

-- The rows of conversation_tally that a conversation counts in, from its organization_id, status, tombstone, initiated_by,
-- has_inbound, unread_messages, last_inbound_at, answered_at and assigned_member_id. Inlined by the planner.
CREATE FUNCTION conversation_kinds(uuid, text, bool, text, bool, bigint, timestamptz, timestamptz, uuid)
  RETURNS TABLE (organization_id uuid, member_id uuid, status text, initiated_by text, has_inbound bool, unread int,
                 awaiting int, unassigned int)
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT $1, m.id, $2, $4, $5, ($6 > 0)::int,
          ($2 = 'Active' AND coalesce($7 > coalesce($8, '-infinity'), false))::int, ($9 IS NULL)::int
        FROM (VALUES (uuid '00000000-0000-0000-0000-000000000000'), ($9)) m (id)
        WHERE m.id IS NOT NULL AND ($2 <> 'Deleted' OR $3) $$;

CREATE FUNCTION add_to_conversation_tally(change conversation_tally) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  -- Not a join: see change_conversation_totals().
  UPDATE conversation_tally t
  SET total = t.total + change.total, unread = t.unread + change.unread, awaiting = t.awaiting + change.awaiting,
      unassigned = t.unassigned + change.unassigned
  WHERE t.organization_id = change.organization_id AND t.member_id = change.member_id AND t.status = change.status
    AND t.initiated_by = change.initiated_by AND t.has_inbound = change.has_inbound AND t.slot = (
      SELECT f.slot FROM conversation_tally f
      WHERE f.organization_id = change.organization_id AND f.member_id = change.member_id AND f.status = change.status
        AND f.initiated_by = change.initiated_by AND f.has_inbound = change.has_inbound
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO conversation_tally (organization_id, member_id, status, initiated_by, has_inbound, total, unread, awaiting,
      unassigned)
    VALUES (change.organization_id, change.member_id, change.status, change.initiated_by, change.has_inbound,
      change.total, change.unread, change.awaiting, change.unassigned);
  END IF;
END $$;

-- Per statement: what many rows change is summed up, and most updates of a conversation change no sum.
CREATE FUNCTION tally_updated() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  change conversation_tally;
BEGIN
  FOR change IN
    SELECT organization_id, member_id, status, initiated_by, has_inbound, NULL, sum(sign), sum(sign * unread),
      sum(sign * awaiting), sum(sign * unassigned)
    FROM (SELECT -1 AS sign, k.* FROM removed r CROSS JOIN LATERAL conversation_kinds(
            r.organization_id, r.status, r.tombstone, r.initiated_by, r.has_inbound, r.unread_messages,
            r.last_inbound_at, r.answered_at, r.assigned_member_id) k
          UNION ALL
          SELECT 1, k.* FROM added a CROSS JOIN LATERAL conversation_kinds(
            a.organization_id, a.status, a.tombstone, a.initiated_by, a.has_inbound, a.unread_messages,
            a.last_inbound_at, a.answered_at, a.assigned_member_id) k) c
    GROUP BY organization_id, member_id, status, initiated_by, has_inbound
    HAVING (sum(sign), sum(sign * unread), sum(sign * awaiting), sum(sign * unassigned)) <> (0, 0, 0, 0)
  LOOP
    PERFORM add_to_conversation_tally(change);
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_changed() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  change conversation_tally;
BEGIN
  FOR change IN
    SELECT k.organization_id, k.member_id, k.status, k.initiated_by, k.has_inbound, NULL, sign * count(*),
      sign * sum(k.unread), sign * sum(k.awaiting), sign * sum(k.unassigned)
    FROM changed c CROSS JOIN LATERAL conversation_kinds(
      c.organization_id, c.status, c.tombstone, c.initiated_by, c.has_inbound, c.unread_messages, c.last_inbound_at,
      c.answered_at, c.assigned_member_id) k
    GROUP BY k.organization_id, k.member_id, k.status, k.initiated_by, k.has_inbound
  LOOP
    PERFORM add_to_conversation_tally(change);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON conversation REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed();
CREATE TRIGGER tally_deleted AFTER DELETE ON conversation REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION tally_changed();
CREATE TRIGGER tally_updated AFTER UPDATE ON conversation REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_updated();

CREATE FUNCTION forget_conversation_tallies() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  DELETE FROM conversation_tally;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_truncated AFTER TRUNCATE ON conversation
  FOR EACH STATEMENT EXECUTE FUNCTION forget_conversation_tallies();

INSERT INTO conversation_tally (organization_id, member_id, status, initiated_by, has_inbound, total, unread, awaiting,
  unassigned)
SELECT k.organization_id, k.member_id, k.status, k.initiated_by, k.has_inbound, count(*), sum(k.unread), sum(k.awaiting),
  sum(k.unassigned)
FROM conversation c CROSS JOIN LATERAL conversation_kinds(
  c.organization_id, c.status, c.tombstone, c.initiated_by, c.has_inbound, c.unread_messages, c.last_inbound_at,
  c.answered_at, c.assigned_member_id) k
GROUP BY k.organization_id, k.member_id, k.status, k.initiated_by, k.has_inbound;

-- For 0036: what the columns are for the conversations that are there, some at a time, as a long transaction would keep
-- their writers waiting.
CREATE PROCEDURE fill_conversations()
  LANGUAGE plpgsql
AS $$
DECLARE
  part record;
  organization uuid := '00000000-0000-0000-0000-000000000000';
  after uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  LOOP
    SELECT array_agg(c.id) AS ids, array_agg(c.organization_id) AS organizations INTO part
    FROM (SELECT organization_id, id FROM conversation
          WHERE (organization_id, id) > (organization, after)
          ORDER BY organization_id, id LIMIT 1000) c;
    EXIT WHEN part.ids IS NULL;
    WITH filled AS (
      SELECT c.organization_id, c.id, c.has_inbound OR c.last_inbound_at IS NOT NULL OR EXISTS (
               SELECT FROM message m
               WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id AND m.direction = 'InBound'
                 AND m.message_type <> 'System') AS has_inbound,
             greatest(c.answered_at, (
               SELECT max(m.created_at) FROM message m
               WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id AND m.direction = 'OutBound'
                 AND m.campaign_id IS NULL AND m.message_type <> 'System')) AS answered_at
      FROM unnest(part.organizations, part.ids) AS w (organization_id, id)
        JOIN conversation c ON c.organization_id = w.organization_id AND c.id = w.id
      ORDER BY c.organization_id, c.id
      FOR NO KEY UPDATE OF c
    )
    UPDATE conversation c SET has_inbound = f.has_inbound, answered_at = f.answered_at
    FROM filled f
    WHERE c.organization_id = f.organization_id AND c.id = f.id
      AND (c.has_inbound, c.answered_at) IS DISTINCT FROM (f.has_inbound, f.answered_at);
    COMMIT;
    organization := part.organizations[cardinality(part.ids)];
    after := part.ids[cardinality(part.ids)];
  END LOOP;
END $$;
