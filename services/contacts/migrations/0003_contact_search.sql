-- What lists of contacts filter by, each by an index.

-- Names and phone numbers are searched as one text. The line's end between them is in no search, so that none is found
-- across it.
DROP INDEX contact_search;
ALTER TABLE contact DROP COLUMN search;
ALTER TABLE contact ADD COLUMN search text NOT NULL
  GENERATED ALWAYS AS (fold(name) || E'\n' || coalesce(phone, '')) STORED;
CREATE INDEX contact_search ON contact USING gin (organization_id, search gin_trgm_ops) WITH (fastupdate = off);
-- One or two characters make no trigram, yet are a whole surname in Chinese or Japanese: those are found by which
-- characters a text has.
CREATE INDEX contact_characters ON contact USING gin (organization_id, string_to_array(search, NULL))
  WITH (fastupdate = off);

CREATE INDEX contact_status ON contact (organization_id, status, id);
CREATE INDEX contact_attributes ON contact USING gin (organization_id, attributes jsonb_path_ops)
  WITH (fastupdate = off);

-- With the contact, pages of those who bear a tag are read in their order.
DROP INDEX contact_tag_tag;
CREATE INDEX contact_tag_tag ON contact_tag (organization_id, tag_id, contact_id);
