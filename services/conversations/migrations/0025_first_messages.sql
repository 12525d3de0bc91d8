-- A conversation may be inserted with its first message already counted, in the statement that inserts both: counting it
-- by an update would write the row and the entries of its indexes a second time.

-- The message that the row was inserted with. The triggers of message (messages/functions.sql) do not count it again. NULL
-- once it is gone, so that it is counted if it comes back, or once anything else was counted.
ALTER TABLE conversation ADD COLUMN first_message_id uuid;

DROP TRIGGER refuse_inserted ON conversation;
CREATE TRIGGER refuse_inserted BEFORE INSERT ON conversation FOR EACH ROW
  WHEN (NEW.total_messages <> (NEW.first_message_id IS NOT NULL)::int
        OR NEW.first_message_id IS NULL AND (NEW.unread_messages <> 0 OR NEW.last_message_at IS NOT NULL))
  EXECUTE FUNCTION refuse_counters();
DROP TRIGGER refuse_updated ON conversation;
CREATE TRIGGER refuse_updated BEFORE UPDATE OF total_messages, unread_messages, last_message_at, first_message_id
  ON conversation FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_counters();

-- At the end of the statement the first message must be there, and be as it was counted.
CREATE FUNCTION check_first_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  IF EXISTS (
       SELECT FROM changed c
       WHERE c.first_message_id IS NOT NULL AND NOT EXISTS (
         SELECT FROM message m
         WHERE m.organization_id = c.organization_id AND m.id = c.first_message_id AND m.conversation_id = c.id
           AND m.created_at = c.last_message_at AND (m.status = 'Unread')::int = c.unread_messages)) THEN
    RAISE EXCEPTION 'total_messages, unread_messages and last_message_at follow from the messages'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_inserted AFTER INSERT ON conversation REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION check_first_messages();
