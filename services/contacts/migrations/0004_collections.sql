-- Lists and tags as pages of their own, and what follows their deletion.

-- What search compares.
ALTER TABLE list ADD COLUMN search text NOT NULL GENERATED ALWAYS AS (fold(name)) STORED;
ALTER TABLE tag ADD COLUMN search text NOT NULL GENERATED ALWAYS AS (fold(label)) STORED;
CREATE INDEX list_name ON list (organization_id, lower(name), id);

-- A list or a tag is deleted at once, however many contacts it has; the rows that point to it are removed in the
-- background, and no reader takes them for more than they are. So these two keys no longer cascade, and guard only what is
-- inserted: once a statement, under the constraints' old names.
ALTER TABLE membership DROP CONSTRAINT membership_organization_id_list_id_fkey;
ALTER TABLE contact_tag DROP CONSTRAINT contact_tag_organization_id_tag_id_fkey;

-- The locks last until the inserting transaction ends: a deletion waits for it, and its removal then sees the new rows.
CREATE FUNCTION require_lists() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF (WITH named AS (SELECT DISTINCT organization_id, list_id AS id FROM added),
        there AS (SELECT FROM named JOIN list USING (organization_id, id)
                  ORDER BY organization_id, id FOR KEY SHARE OF list)
      SELECT (SELECT count(*) FROM named) <> (SELECT count(*) FROM there)) THEN
    RAISE EXCEPTION 'insert into membership of a list that does not exist' USING ERRCODE = 'foreign_key_violation',
      TABLE = 'membership', CONSTRAINT = 'membership_organization_id_list_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_lists AFTER INSERT ON membership REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION require_lists();

CREATE FUNCTION require_tags() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF (WITH named AS (SELECT DISTINCT organization_id, tag_id AS id FROM added),
        there AS (SELECT FROM named JOIN tag USING (organization_id, id)
                  ORDER BY organization_id, id FOR KEY SHARE OF tag)
      SELECT (SELECT count(*) FROM named) <> (SELECT count(*) FROM there)) THEN
    RAISE EXCEPTION 'insert into contact_tag of a tag that does not exist' USING ERRCODE = 'foreign_key_violation',
      TABLE = 'contact_tag', CONSTRAINT = 'contact_tag_organization_id_tag_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER require_tags AFTER INSERT ON contact_tag REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION require_tags();

-- What is no more and may still have rows here: see common/removals.

-- A row is written in the transaction that deletes; nothing of what it names is shown from then on.
CREATE TABLE removal (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,  -- of what was deleted
  started_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- when it is to be worked on again
  finished_at timestamptz,                    -- of those that are kept
  PRIMARY KEY (organization_id, kind, id)
);
CREATE INDEX removal_due ON removal (due_at) WHERE finished_at IS NULL;

-- What this service has learned from organizations: see common/events.

-- How far each feed has been applied; moved in the transaction that applies, by compare-and-set.
CREATE TABLE feed_cursor (
  producer text PRIMARY KEY,
  epoch uuid,  -- of the producer's feed; null before the first answer
  position bigint NOT NULL DEFAULT 0
);

-- Events that could not be applied, set aside so that those behind them could. Tried again when the process starts.
CREATE TABLE parked_event (
  producer text NOT NULL,
  epoch uuid NOT NULL,
  position bigint NOT NULL,
  changes jsonb NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (producer, epoch, position)
);
