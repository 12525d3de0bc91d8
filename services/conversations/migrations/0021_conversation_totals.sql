-- A version of what the filters of conversations can see: the sum of an organization's rows here. Each transaction that changes
-- that adds one, by the triggers below, so that no writer can forget it. Whether anything is unread changes with every other
-- message, and is asked for by one filter alone: it is counted apart, and that filter's version is the sum of both.
--
-- A transaction takes any row that nobody has locked, or makes one: nobody waits, and there are as many rows as there were
-- writers at once.
CREATE TABLE conversation_version (
  organization_id uuid NOT NULL,
  of_unread bool NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  changes bigint NOT NULL,
  PRIMARY KEY (organization_id, of_unread, slot)
) WITH (fillfactor = 50);

-- Once a transaction.
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

-- A row at a time, as hardly any update gets past the triggers' conditions: a message changes a conversation's counters.
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
