-- Conversations, their messages, and what campaigns they came from. Every table is a tenant's: organization_id comes first
-- in each key, so that each could be distributed by it. Ids are UUIDs of version 7. Contacts, members and tags are other
-- services' and have no foreign key here.

-- What belongs to a campaign names it without a foreign key: each send would lock the one row of its campaign, and campaigns
-- are never removed from this table.
CREATE TABLE campaign (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'Draft'
    CHECK (status IN ('Draft', 'Scheduled', 'Running', 'Paused', 'Cancelled', 'Finished')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);

CREATE TABLE conversation (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  contact_id uuid NOT NULL,
  campaign_id uuid,  -- whose message opened it
  initiated_by text NOT NULL CHECK (initiated_by IN ('Contact', 'Campaign', 'Member')),
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Closed', 'Deleted')),
  assigned_member_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Kept by the triggers below, and by nobody else:
  total_messages bigint NOT NULL DEFAULT 0,
  unread_messages bigint NOT NULL DEFAULT 0,
  last_message_at timestamptz,  -- the latest created_at that a message of it has had
  PRIMARY KEY (organization_id, id)
) WITH (fillfactor = 80);  -- each message updates its conversation in place, as no index has those columns
CREATE UNIQUE INDEX conversation_active ON conversation (organization_id, contact_id) WHERE status = 'Active';
CREATE INDEX conversation_contact ON conversation (organization_id, contact_id, id);

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
  channel_message_id text,  -- the channel's own (wamid), once it accepted the message
  data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  error_code int,   -- the channel's, of the latest failure
  error_text text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  CHECK (CASE direction WHEN 'InBound' THEN status IN ('Unread', 'Read')
                        ELSE status IN ('Queued', 'Sent', 'UnDelivered', 'Delivered', 'Read', 'Failed') END),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation ON DELETE CASCADE
);
-- A conversation's messages in order. Not by id: a campaign's messages have theirs long before they are sent.
CREATE INDEX message_conversation ON message (organization_id, conversation_id, created_at, id);

CREATE TABLE conversation_tag (
  organization_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, tag_id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation ON DELETE CASCADE
);
CREATE INDEX conversation_tag_tag ON conversation_tag (organization_id, tag_id);

-- The counters of a conversation are kept here, in the transaction of the message, so that no writer can forget them and no
-- reader can see them differ from the messages in its snapshot.

-- A batch of messages updates each conversation once, and these in order of their keys (the settings leave the planner no
-- other way), so that two batches never wait for each other.
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

-- A row at a time, as hardly any update counts: the statuses of what was sent do not get past the trigger's condition.
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
