-- Saved filters of contacts, evaluated when they are used. Nothing refers to one by a key: campaigns name them by id from
-- another service, and a segment that is gone has no contacts.
CREATE TABLE segment (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  filter jsonb NOT NULL,  -- as in the API
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The text that searches compare.
  search text NOT NULL GENERATED ALWAYS AS (fold(name)) STORED,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX segment_name ON segment (organization_id, lower(name));
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, filter ON segment FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.filter) IS DISTINCT FROM (NEW.name, NEW.description, NEW.filter))
  EXECUTE FUNCTION raise_version();
