-- Values of attributes, for conditions of segments that no index of contacts serves: ranges of numbers and of days, texts that
-- contain or begin. Only of attributes that saved segments name in such conditions.

-- What is indexed: an attribute, read as one kind. Filled in the background (contacts/indexing).
CREATE TABLE indexed_attribute (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('number', 'day', 'text')),
  id uuid NOT NULL DEFAULT gen_random_uuid(),  -- of its values; a later index of the same has another
  -- New: transactions may be under way that write contacts and do not see this row. Filling: all that are under way see it and
  -- keep the values of what they write. Complete: no value is missing, and filters use them.
  stage text NOT NULL DEFAULT 'New' CHECK (stage IN ('New', 'Filling', 'Complete')),
  seen xid8,  -- a transaction that began to write when this row could be seen
  position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',  -- the last contact that was filled in
  served_at timestamptz NOT NULL DEFAULT '-infinity',                     -- when that was
  -- Since when no segment names it. Filters no longer use it; it goes once those have ended that did.
  unused_since timestamptz,
  PRIMARY KEY (organization_id, name, kind)
) WITH (fillfactor = 50);
CREATE INDEX indexed_attribute_open ON indexed_attribute (organization_id) 
  WHERE stage <> 'Complete' AND unused_since IS NULL;
CREATE INDEX indexed_attribute_unused ON indexed_attribute (organization_id) WHERE unused_since IS NOT NULL;

-- A contact has no row where its value cannot be read so. Triggers of contact keep the rows, and not a foreign key, which would need
-- one more index, by contact, and look at a contact for each row.
CREATE TABLE attribute_value (
  organization_id uuid NOT NULL,
  attribute_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  number numeric,  -- of the day 2026-01-31: 20260131
  words text,
  PRIMARY KEY (organization_id, attribute_id, contact_id)
) WITH (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX attribute_value_number ON attribute_value (organization_id, attribute_id, number, contact_id)
  WHERE number IS NOT NULL;
CREATE INDEX attribute_value_words ON attribute_value USING gin (organization_id, attribute_id, words gin_trgm_ops)
  WITH (fastupdate = off) WHERE words IS NOT NULL;

-- A value as conditions read it: see segments/predicate.cpp. Bounds have at most 341 decimals. So a number with more is kept with
-- 350, and a digit that says on which side of these it is: there is no index of numbers of any length.
CREATE FUNCTION attribute_reading(value jsonb, kind text) RETURNS TABLE (number numeric, words text)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN min_scale(r.number) > 350 THEN trunc(r.number, 350) + sign(r.number) * 1e-351 ELSE trim_scale(r.number) END,
    r.words
  FROM (SELECT CASE kind
          WHEN 'number' THEN (jsonb_path_query_first(value, 'strict $.double()', '{}', true) #>> '{}')::numeric
          WHEN 'day' THEN replace(left(jsonb_path_query_first(value,
              'strict $ ? (@ like_regex "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])($|[T ])")', '{}', true) #>> '{}', 10),
            '-', '')::numeric
        END AS number,
        CASE WHEN kind = 'text' AND jsonb_typeof(value) IN ('string', 'number', 'boolean')
             THEN lower(left(value #>> '{}', 256)) END AS words) r
  WHERE r.number IS NOT NULL OR r.words IS NOT NULL
$$;

-- Keeps the values of the contacts that a statement wrote or deleted. It has locked these, so nobody else changes their values
-- meanwhile. All that write are READ COMMITTED: they see what is indexed as of now.
CREATE FUNCTION keep_attribute_values() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM (SELECT DISTINCT organization_id FROM written) w
                   JOIN indexed_attribute a USING (organization_id)) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM attribute_value v
    USING written w, indexed_attribute a
    WHERE a.organization_id = w.organization_id
      AND v.organization_id = w.organization_id AND v.attribute_id = a.id AND v.contact_id = w.id
      AND (TG_OP = 'DELETE' OR NOT EXISTS (SELECT FROM attribute_reading(w.attributes -> a.name, a.kind)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO attribute_value AS v (organization_id, attribute_id, contact_id, number, words)
    SELECT w.organization_id, a.id, w.id, r.number, r.words
    FROM written w JOIN indexed_attribute a USING (organization_id)
      CROSS JOIN LATERAL attribute_reading(w.attributes -> a.name, a.kind) r
    WHERE NOT EXISTS (SELECT FROM attribute_value o
                      WHERE o.organization_id = w.organization_id AND o.attribute_id = a.id AND o.contact_id = w.id
                        AND (o.number, o.words) IS NOT DISTINCT FROM (r.number, r.words) OFFSET 0)
    ON CONFLICT (organization_id, attribute_id, contact_id)
    DO UPDATE SET number = excluded.number, words = excluded.words;
  END IF;
  RETURN NULL;
END $$;

-- Chooses what is indexed of an organization: what its segments name where an index finds contacts, not behind a `not`. 20 at most,
-- and of these three texts, whose trigrams cost writers the most. What none names goes ten minutes later, long after the last
-- statement has ended that used it.
CREATE FUNCTION choose_indexed_attributes(organization uuid) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  named text[];  -- kind and name
BEGIN
  -- One at a time, so that each sees the segments of those before.
  PERFORM pg_advisory_xact_lock(hashtextextended('indexed_attribute ' || organization, 0));
  named := ARRAY(
    WITH RECURSIVE part (condition) AS (
      SELECT s.filter FROM segment s WHERE s.organization_id = organization
      UNION ALL
      SELECT jsonb_array_elements(p.condition -> 'conditions') FROM part p WHERE p.condition ->> 'type' IN ('all', 'any')
    )
    SELECT DISTINCT CASE condition ->> 'type' WHEN 'number' THEN 'number' WHEN 'date' THEN 'day' ELSE 'text' END
        || ' ' || (condition ->> 'attribute')
    FROM part
    WHERE condition ->> 'type' IN ('number', 'date')
      OR condition ->> 'type' = 'text' AND condition ->> 'operator' IN ('contains', 'startsWith')
    ORDER BY 1);
  UPDATE indexed_attribute SET unused_since = CASE WHEN unused_since IS NULL THEN now() END
  WHERE organization_id = organization AND (unused_since IS NULL) <> (kind || ' ' || name = ANY (named));
  WITH gone AS (
    DELETE FROM indexed_attribute
    WHERE organization_id = organization AND unused_since < now() - interval '10 minutes'
    RETURNING id
  )
  INSERT INTO removal (organization_id, kind, id) SELECT organization, 'attribute', id FROM gone;
  INSERT INTO indexed_attribute (organization_id, name, kind)
  SELECT organization, n.name, n.kind
  FROM (SELECT substr(each, strpos(each, ' ') + 1) AS name, split_part(each, ' ', 1) AS kind,
          row_number() OVER (PARTITION BY each LIKE 'text %' ORDER BY each) AS place
        FROM unnest(named) AS u (each)
        WHERE NOT EXISTS (SELECT FROM indexed_attribute a
                          WHERE a.organization_id = organization AND a.kind || ' ' || a.name = each)) n
  WHERE n.kind <> 'text'
    OR n.place <= 3 - (SELECT count(*) FROM indexed_attribute WHERE organization_id = organization AND kind = 'text')
  ORDER BY n.kind, n.name
  LIMIT greatest(0, 20 - (SELECT count(*) FROM indexed_attribute WHERE organization_id = organization));
END $$;

CREATE FUNCTION choose_indexed_attributes() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM choose_indexed_attributes(organization_id)
    FROM (SELECT DISTINCT c.organization_id FROM changed c JOIN former f USING (organization_id, id)
          WHERE c.filter <> f.filter ORDER BY 1) o;
  ELSE
    PERFORM choose_indexed_attributes(organization_id)
    FROM (SELECT DISTINCT organization_id FROM changed ORDER BY 1) o;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER choose_when_inserted AFTER INSERT ON segment REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION choose_indexed_attributes();
CREATE TRIGGER choose_when_updated AFTER UPDATE ON segment REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION choose_indexed_attributes();
CREATE TRIGGER choose_when_deleted AFTER DELETE ON segment REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION choose_indexed_attributes();

SELECT choose_indexed_attributes(organization_id) FROM (SELECT DISTINCT organization_id FROM segment) s;

-- Last, as those who write contacts wait from here until the end.
CREATE TRIGGER keep_inserted_values AFTER INSERT ON contact REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION keep_attribute_values();
CREATE TRIGGER keep_updated_values AFTER UPDATE ON contact REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION keep_attribute_values();
CREATE TRIGGER keep_deleted_values AFTER DELETE ON contact REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION keep_attribute_values();
