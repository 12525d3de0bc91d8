-- Contacts, lists and tags. Every table is a tenant's: organization_id comes first in each key, so that each could be
-- distributed by it.

CREATE EXTENSION IF NOT EXISTS pg_trgm;    -- any part of a name or a phone number, by index
CREATE EXTENSION IF NOT EXISTS btree_gin;  -- organization_id in the same index
CREATE EXTENSION IF NOT EXISTS unaccent;

-- What search compares: without case and accents. unaccent() itself is only STABLE, as its dictionary could be changed;
-- ours never is.
CREATE FUNCTION fold(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  SET search_path FROM CURRENT
  AS $$ SELECT lower(unaccent('unaccent', $1)) $$;

CREATE TABLE contact (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,  -- version 7: in order of creation
  name text NOT NULL,
  phone text,            -- E.164, with its plus; a channel user may have none
  channel_user_id text,  -- the channel's business-scoped id, of those without a number
  attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
  status text NOT NULL DEFAULT 'Active' CHECK (status IN ('Active', 'Inactive', 'Blocked', 'OptedOut')),
  created_at timestamptz NOT NULL DEFAULT now(),
  search text NOT NULL GENERATED ALWAYS AS (fold(name) || ' ' || coalesce(phone, '')) STORED,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX contact_phone ON contact (organization_id, phone) WHERE phone IS NOT NULL;
CREATE UNIQUE INDEX contact_channel_user ON contact (organization_id, channel_user_id) WHERE channel_user_id IS NOT NULL;
CREATE INDEX contact_name ON contact (organization_id, lower(name), id);
CREATE INDEX contact_search ON contact USING gin (organization_id, search gin_trgm_ops) WITH (fastupdate = off);

CREATE TABLE list (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  campaigns_sent bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);

-- The foreign keys guard against a contact or a list deleted meanwhile.
CREATE TABLE membership (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, contact_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES list ON DELETE CASCADE,
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE
);
CREATE INDEX membership_contact ON membership (organization_id, contact_id, list_id);

CREATE TABLE tag (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX tag_label ON tag (organization_id, lower(label));

CREATE TABLE contact_tag (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, contact_id, tag_id),
  FOREIGN KEY (organization_id, contact_id) REFERENCES contact ON DELETE CASCADE,
  FOREIGN KEY (organization_id, tag_id) REFERENCES tag ON DELETE CASCADE
);
CREATE INDEX contact_tag_tag ON contact_tag (organization_id, tag_id);

CREATE TABLE list_tag (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  PRIMARY KEY (organization_id, list_id, tag_id),
  FOREIGN KEY (organization_id, list_id) REFERENCES list ON DELETE CASCADE,
  FOREIGN KEY (organization_id, tag_id) REFERENCES tag ON DELETE CASCADE
);
CREATE INDEX list_tag_tag ON list_tag (organization_id, tag_id);

-- Totals without counting. Whoever changes contacts or memberships adds to these rows in the same transaction, as its last
-- statement: `contacts` is how many there are, `changes` a version of all that filters can see. The nil list is the whole
-- organization, the sum of 16 rows by slot, so that its writers do not queue for one; a list's row has slot 0.
CREATE TABLE tally (
  organization_id uuid NOT NULL,
  list_id uuid NOT NULL,
  slot int NOT NULL,
  contacts bigint NOT NULL,
  changes bigint NOT NULL,
  PRIMARY KEY (organization_id, list_id, slot)
) WITH (fillfactor = 50);
