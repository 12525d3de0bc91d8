-- Versions, which If-Match compares.

-- A row has another version when a client may have changed something of it, whichever program did. Not only the next
-- number: a database that was restored from a backup must not give a version again that it gave before.
CREATE FUNCTION raise_version() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.version := greatest(OLD.version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  RETURN NEW;
END $$;

-- The lists that a contact is in and the tags that it and lists bear are told from rows of their own; see
-- http::add_to_version(). Who is in a list is told from its tally.
ALTER TABLE contact ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, phone, attributes, status ON contact FOR EACH ROW
  WHEN ((OLD.name, OLD.phone, OLD.attributes, OLD.status)
          IS DISTINCT FROM (NEW.name, NEW.phone, NEW.attributes, NEW.status))
  EXECUTE FUNCTION raise_version();

ALTER TABLE list ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description ON list FOR EACH ROW
  WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
  EXECUTE FUNCTION raise_version();

ALTER TABLE tag ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF label ON tag FOR EACH ROW
  WHEN (OLD.label <> NEW.label)
  EXECUTE FUNCTION raise_version();
