-- Conversations and their messages. Every table of a tenant has organization_id first in its keys, so that each could be
-- distributed by it. Ids are UUIDs of version 7. Contacts, members and tags belong to other services: no foreign keys.

CREATE TABLE conversation (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  contact_id uuid NOT NULL,
  campaign_id uuid,  -- the campaign that opened it
  initiated_by text NOT NULL CHECK (initiated_by IN ('Contact', 'Campaign', 'Member')),
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Closed', 'Deleted')),
  assigned_member_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Maintained only by triggers, in the transaction of the message: no writer can forget them, and in each snapshot
  -- they agree with the messages.
  total_messages bigint NOT NULL DEFAULT 0,
  unread_messages bigint NOT NULL DEFAULT 0,
  last_message_at timestamptz,  -- the latest created_at that any of its messages has had
  -- A conversation that became Deleted with its contact: still shown, without its content. One that a member deleted
  -- before is no tombstone.
  tombstone boolean NOT NULL DEFAULT false CHECK (status = 'Deleted' OR NOT tombstone),
  -- Start of the 24-hour service window, by the channel's clock: until its end the channel accepts more than templates.
  last_inbound_at timestamptz,
  untold bool NOT NULL DEFAULT false,
  -- Messages that come or go do not raise it; reading them does. Tags have rows of their own: see
  -- http::add_to_version().
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);  -- room for its updates: each message changes the counters
CREATE UNIQUE INDEX conversation_active ON conversation (organization_id, contact_id) WHERE status = 'Active';
CREATE INDEX conversation_contact ON conversation (organization_id, contact_id, id);
-- Order of the inbox. Each message adds index entries of its conversation and prevents HOT updates; in return an inbox
-- of any size opens equally fast. The status comes first: a page of several statuses merges one scan of each.
CREATE INDEX conversation_recent ON conversation
  (organization_id, status, (coalesce(last_message_at, created_at)), id);
-- Selective filters, whose matches a scan of all conversations would find too slowly.
CREATE INDEX conversation_unread ON conversation
  (organization_id, status, (coalesce(last_message_at, created_at)), id) WHERE unread_messages > 0;
CREATE INDEX conversation_member ON conversation
  (organization_id, assigned_member_id, status, (coalesce(last_message_at, created_at)), id)
  WHERE assigned_member_id IS NOT NULL;
CREATE INDEX conversation_campaign ON conversation
  (organization_id, campaign_id, status, (coalesce(last_message_at, created_at)), id) WHERE campaign_id IS NOT NULL;

CREATE FUNCTION refuse_counters() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RAISE EXCEPTION 'total_messages, unread_messages and last_message_at follow from the messages'
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER refuse_inserted BEFORE INSERT ON conversation FOR EACH ROW
  WHEN (NEW.total_messages <> 0 OR NEW.unread_messages <> 0 OR NEW.last_message_at IS NOT NULL)
  EXECUTE FUNCTION refuse_counters();
CREATE TRIGGER refuse_updated BEFORE UPDATE OF total_messages, unread_messages, last_message_at ON conversation FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_counters();
CREATE TRIGGER raise_version BEFORE UPDATE OF contact_id, status, tombstone, assigned_member_id, unread_messages
  ON conversation FOR EACH ROW
  WHEN ((OLD.contact_id, OLD.status, OLD.tombstone, OLD.assigned_member_id)
          IS DISTINCT FROM (NEW.contact_id, NEW.status, NEW.tombstone, NEW.assigned_member_id)
        OR NEW.unread_messages < OLD.unread_messages)
  EXECUTE FUNCTION raise_version();

CREATE FUNCTION note_conversations() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM raise_conversation_version(organization_id, false) FROM (SELECT DISTINCT organization_id FROM changed) c;
  RETURN NULL;
END $$;
CREATE TRIGGER note_inserted AFTER INSERT ON conversation REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_conversations();
CREATE TRIGGER note_deleted AFTER DELETE ON conversation REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_conversations();

-- Per row, as hardly any update passes the triggers' conditions: a message changes only counters.
CREATE FUNCTION note_conversation() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  PERFORM raise_conversation_version(NEW.organization_id, TG_ARGV[0] = 'unread');
  RETURN NULL;
END $$;
CREATE TRIGGER note_updated AFTER UPDATE ON conversation FOR EACH ROW
  WHEN ((OLD.status, OLD.contact_id, OLD.campaign_id, OLD.assigned_member_id, OLD.tombstone)
    IS DISTINCT FROM (NEW.status, NEW.contact_id, NEW.campaign_id, NEW.assigned_member_id, NEW.tombstone))
  EXECUTE FUNCTION note_conversation('all');
CREATE TRIGGER note_unread AFTER UPDATE ON conversation FOR EACH ROW
  WHEN ((OLD.unread_messages > 0) <> (NEW.unread_messages > 0))
  EXECUTE FUNCTION note_conversation('unread');

CREATE TABLE message (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  campaign_id uuid,
  reply_to_message_id uuid,
  direction text NOT NULL CHECK (direction IN ('InBound', 'OutBound')),
  status text NOT NULL,
  message_type text NOT NULL
    CHECK (message_type IN ('Text', 'Image', 'Video', 'Audio', 'Document', 'Sticker', 'Location', 'Contacts', 'Reaction',
                            'Interactive', 'Template', 'System', 'Unsupported')),
  channel_message_id text,  -- the channel's id (wamid), once accepted
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  error_code int,   -- the channel's code of the last failure
  error_text text,
  created_at timestamptz NOT NULL DEFAULT now(),
  status_at timestamptz,  -- when it got its status, by the channel's clock if known
  -- From a contact that was blocked at that time: no event is emitted, and it is not counted.
  untold bool NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CHECK (CASE direction WHEN 'InBound' THEN status IN ('Unread', 'Read')
                        ELSE status IN ('Queued', 'Sent', 'UnDelivered', 'Delivered', 'Read', 'Failed') END),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation ON DELETE CASCADE
);
-- A conversation's messages in order. Ids have another order: a campaign's messages get theirs long before they are
-- sent.
CREATE INDEX message_conversation ON message (organization_id, conversation_id, created_at, id);
-- No index contains the status, not even as a condition, so that the three or four statuses of a message are HOT
-- updates.
CREATE INDEX message_recent ON message (organization_id, created_at, id);
CREATE INDEX message_campaign ON message (organization_id, campaign_id, created_at, id) WHERE campaign_id IS NOT NULL;

-- One update per conversation for a batch of messages, in the order of keys (the settings leave the planner no other
-- way), so that two batches do not deadlock.
CREATE FUNCTION count_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
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
      last_message_at = CASE sign WHEN 1 THEN greatest(c.last_message_at, m.latest) ELSE c.last_message_at END
  FROM (SELECT organization_id, conversation_id, count(*) AS total, count(*) FILTER (WHERE status = 'Unread') AS unread,
               max(created_at) AS latest
        FROM changed GROUP BY organization_id, conversation_id ORDER BY organization_id, conversation_id) m
  WHERE c.organization_id = m.organization_id AND c.id = m.conversation_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_inserted AFTER INSERT ON message REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER count_deleted AFTER DELETE ON message REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

-- Per row, as hardly any update passes the trigger's condition: statuses of outbound messages do not.
CREATE FUNCTION recount_message() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE conversation
  SET total_messages = total_messages + (id = NEW.conversation_id)::int - (id = OLD.conversation_id)::int,
      unread_messages = unread_messages + (id = NEW.conversation_id AND NEW.status = 'Unread')::int
                                        - (id = OLD.conversation_id AND OLD.status = 'Unread')::int,
      last_message_at = CASE id WHEN NEW.conversation_id THEN greatest(last_message_at, NEW.created_at) ELSE last_message_at END
  WHERE organization_id IN (OLD.organization_id, NEW.organization_id) AND id IN (OLD.conversation_id, NEW.conversation_id);
  RETURN NULL;
END $$;
CREATE TRIGGER recount_updated AFTER UPDATE ON message FOR EACH ROW
  WHEN ((OLD.status = 'Unread') <> (NEW.status = 'Unread') OR OLD.conversation_id <> NEW.conversation_id
        OR OLD.created_at < NEW.created_at)
  EXECUTE FUNCTION recount_message();

CREATE FUNCTION uncount_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE conversation SET total_messages = 0, unread_messages = 0 WHERE total_messages > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER uncount_truncated AFTER TRUNCATE ON message FOR EACH STATEMENT EXECUTE FUNCTION uncount_messages();

CREATE TABLE conversation_tag (
  organization_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, tag_id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation ON DELETE CASCADE
);
CREATE INDEX conversation_tag_tag ON conversation_tag (organization_id, tag_id);

-- The version of everything that filters of conversations read: the sum of an organization's rows. Triggers add one in
-- each transaction that changes it. Whether anything is unread changes with every other message and concerns one
-- filter: it is counted apart, and that filter's version is the sum of both. A transaction takes any row that is not
-- locked, or makes one: nobody waits, and there are as many rows as there were concurrent writers.
CREATE TABLE conversation_version (
  organization_id uuid NOT NULL,
  of_unread bool NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  changes bigint NOT NULL,
  PRIMARY KEY (organization_id, of_unread, slot)
) WITH (fillfactor = 50);

-- Adds one, once a transaction.
CREATE FUNCTION raise_conversation_version(organization uuid, unread bool) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF EXISTS (SELECT FROM conversation_version v
             WHERE v.organization_id = organization AND v.of_unread = unread AND v.xmin = pg_current_xact_id()::xid) THEN
    RETURN;
  END IF;
  UPDATE conversation_version v SET changes = v.changes + 1
  FROM (SELECT slot FROM conversation_version
        WHERE organization_id = organization AND of_unread = unread
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) free
  WHERE v.organization_id = organization AND v.of_unread = unread AND v.slot = free.slot;
  IF NOT FOUND THEN
    INSERT INTO conversation_version (organization_id, of_unread, changes) VALUES (organization, unread, 1);
  END IF;
END $$;
