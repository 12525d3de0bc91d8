-- Versions, which If-Match compares.

-- In the order in which campaigns' messages are made, so that neither waits for the other for good.
LOCK TABLE campaign, conversation, webhook IN ACCESS EXCLUSIVE MODE;

-- A row has another version when a client may have changed something of it, whichever program did. Not only the next
-- number: a database that was restored from a backup must not give a version again that it gave before.
CREATE FUNCTION raise_version() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.version := greatest(OLD.version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  RETURN NEW;
END $$;

-- A message that comes or goes is no change of its conversation; that it was read is one. The tags are told from rows
-- of their own: see http::add_to_version().
ALTER TABLE conversation ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF contact_id, status, tombstone, assigned_member_id, unread_messages
  ON conversation FOR EACH ROW
  WHEN ((OLD.contact_id, OLD.status, OLD.tombstone, OLD.assigned_member_id)
          IS DISTINCT FROM (NEW.contact_id, NEW.status, NEW.tombstone, NEW.assigned_member_id)
        OR NEW.unread_messages < OLD.unread_messages)
  EXECUTE FUNCTION raise_version();

-- Neither how far its audience has come nor why it waits.
ALTER TABLE campaign ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, status, message, variants, list_ids, excluded_list_ids,
    tag_ids, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second
  ON campaign FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.status, OLD.message, OLD.variants, OLD.list_ids, OLD.excluded_list_ids,
         OLD.tag_ids, OLD.phone_number_id, OLD.scheduled_at, OLD.timezone, OLD.allowed_lateness, OLD.messages_per_second)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.status, NEW.message, NEW.variants, NEW.list_ids, NEW.excluded_list_ids,
         NEW.tag_ids, NEW.phone_number_id, NEW.scheduled_at, NEW.timezone, NEW.allowed_lateness, NEW.messages_per_second))
  EXECUTE FUNCTION raise_version();

-- Not that it fails, until it is disabled; nor that its secrets are sealed anew.
ALTER TABLE webhook ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF url, description, events, active, disabled_at, old_secret_until
  ON webhook FOR EACH ROW
  WHEN ((OLD.url, OLD.description, OLD.events, OLD.active, OLD.disabled_at, OLD.old_secret_until)
          IS DISTINCT FROM (NEW.url, NEW.description, NEW.events, NEW.active, NEW.disabled_at, NEW.old_secret_until))
  EXECUTE FUNCTION raise_version();
