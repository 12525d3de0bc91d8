-- Contacts, lists and tags. Every table of a tenant has organization_id first in its keys, so that each could be distributed
-- by it.

CREATE EXTENSION IF NOT EXISTS pg_trgm;    -- finds any part of a name or a phone number by an index
CREATE EXTENSION IF NOT EXISTS btree_gin;  -- puts organization_id into the same index
CREATE EXTENSION IF NOT EXISTS unaccent;

-- The text that searches compare: without case and accents. unaccent() is only STABLE because its dictionary could
-- change; ours does not.
CREATE FUNCTION fold(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  SET search_path FROM CURRENT
  AS $$ SELECT lower(unaccent('unaccent', $1)) $$;

CREATE TABLE contact (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,  -- version 7: in the order of creation
  name text NOT NULL,
  phone text,            -- E.164, with its plus; a channel user may have none
  channel_user_id text,  -- the channel's business-scoped id, of users without a number
  attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Inactive', 'Blocked', 'OptedOut')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Names and phone numbers are searched as one text. No search contains the line's end between them.
  search text NOT NULL GENERATED ALWAYS AS (fold(name) || E'\n' || coalesce(phone, '')) STORED,
  -- When the contact got its status: the newer of a member's change and of a contact's STOP or START in conversations
  -- wins. -infinity: never changed. Whole milliseconds, as in events.
  status_at timestamptz NOT NULL DEFAULT '-infinity',
  -- Lists, tags and members have rows of their own: see http::add_to_version().
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX contact_phone ON contact (organization_id, phone) WHERE phone IS NOT NULL;
CREATE UNIQUE INDEX contact_channel_user ON contact (organization_id, channel_user_id) WHERE channel_user_id IS NOT NULL;
CREATE INDEX contact_name ON contact (organization_id, lower(name), id);
CREATE INDEX contact_search ON contact USING gin (organization_id, search gin_trgm_ops) WITH (fastupdate = off);
-- One or two characters make no trigram, yet are a whole surname in Chinese or Japanese: this index finds single
-- characters.
CREATE INDEX contact_characters ON contact USING gin (organization_id, string_to_array(search, NULL))
  WITH (fastupdate = off);
CREATE INDEX contact_status ON contact (organization_id, status, id);
CREATE INDEX contact_attributes ON contact USING gin (organization_id, attributes jsonb_path_ops)
  WITH (fastupdate = off);
-- Statuses that conversations is told again if it may have lost them.
CREATE INDEX contact_status_at ON contact (organization_id, id) WHERE status_at > '-infinity';
CREATE TRIGGER raise_version BEFORE UPDATE OF name, phone, attributes, status ON contact FOR EACH ROW
  WHEN ((OLD.name, OLD.phone, OLD.attributes, OLD.status)
          IS DISTINCT FROM (NEW.name, NEW.phone, NEW.attributes, NEW.status))
  EXECUTE FUNCTION raise_version();

CREATE TABLE list (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  campaigns_sent bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The text that searches compare.
  search text NOT NULL GENERATED ALWAYS AS (fold(name)) STORED,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX list_name ON list (organization_id, lower(name), id);
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description ON list FOR EACH ROW
  WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
  EXECUTE FUNCTION raise_version();

-- A list is deleted at once, however many contacts it has. The rows that refer to it are removed in the background and
-- ignored by readers; so instead of a cascading foreign key a trigger checks what is inserted, once a statement. The
-- same holds for tags.
CREATE TABLE membership (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, contact_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX membership_contact ON membership (organization_id, contact_id, list_id);

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

CREATE TABLE tag (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  search text NOT NULL GENERATED ALWAYS AS (fold(label)) STORED,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX tag_label ON tag (organization_id, lower(label));
CREATE TRIGGER raise_version BEFORE UPDATE OF label ON tag FOR EACH ROW
  WHEN (OLD.label <> NEW.label)
  EXECUTE FUNCTION raise_version();

CREATE TABLE contact_tag (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, contact_id, tag_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX contact_tag_tag ON contact_tag (organization_id, tag_id, contact_id);

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

CREATE TABLE list_tag (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, tag_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES list ON DELETE CASCADE,
  FOREIGN KEY (organization_id, tag_id) REFERENCES tag ON DELETE CASCADE
);
CREATE INDEX list_tag_tag ON list_tag (organization_id, tag_id);

-- The campaigns that used a list, so that list.campaigns_sent counts each once, however often its start is told.
CREATE TABLE list_campaign (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, campaign_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES list ON DELETE CASCADE
);

-- Totals without counting. A transaction that changes contacts or members adds to these rows in its last statement:
-- `contacts` is the total, `changes` a version of everything that filters read. The nil list stands for the whole
-- organization. Totals are sums of slots, of which each has been somebody's while others were held, at most 16: writers do
-- not queue for one row.
CREATE TABLE tally (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  slot int NOT NULL,
  contacts bigint NOT NULL,
  changes bigint NOT NULL,
  PRIMARY KEY (organization_id, list_id, slot)
) WITH (fillfactor = 50);
