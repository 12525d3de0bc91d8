-- How many conversations of each status an organization has, beside their version and by the same triggers: a page
-- without other filters has its total without counting.

-- Until the triggers below are there, nobody adds or changes a conversation.
LOCK TABLE conversation IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE conversation_version
  ADD COLUMN active bigint NOT NULL DEFAULT 0,
  ADD COLUMN closed bigint NOT NULL DEFAULT 0,
  ADD COLUMN tombstones bigint NOT NULL DEFAULT 0;  -- Deleted ones that are still shown
INSERT INTO conversation_version (organization_id, of_unread, changes, active, closed, tombstones)
SELECT organization_id, false, 0, count(*) FILTER (WHERE status = 'Active'), count(*) FILTER (WHERE status = 'Closed'),
  count(*) FILTER (WHERE tombstone)
FROM conversation GROUP BY organization_id;

-- Adds one to the version, once a transaction, and the differences to the totals. As there is a row for each writer at a
-- time, single totals may be negative.
CREATE FUNCTION change_conversation_totals(organization uuid, unread bool, in_active bigint, in_closed bigint,
                                           in_tombstones bigint) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF in_active = 0 AND in_closed = 0 AND in_tombstones = 0 AND EXISTS (
       SELECT FROM conversation_version v
       WHERE v.organization_id = organization AND v.of_unread = unread AND v.xmin = pg_current_xact_id()::xid) THEN
    RETURN;
  END IF;
  -- Not a join: it may run the subquery once for each row, which would lock and change several.
  UPDATE conversation_version v
  SET changes = v.changes + 1, active = v.active + in_active, closed = v.closed + in_closed,
      tombstones = v.tombstones + in_tombstones
  WHERE v.organization_id = organization AND v.of_unread = unread AND v.slot = (
    SELECT slot FROM conversation_version
    WHERE organization_id = organization AND of_unread = unread
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO conversation_version (organization_id, of_unread, changes, active, closed, tombstones)
    VALUES (organization, unread, 1, in_active, in_closed, in_tombstones);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION note_conversations() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  PERFORM change_conversation_totals(organization_id, false, sign * active, sign * closed, sign * tombstones)
  FROM (SELECT organization_id, count(*) FILTER (WHERE status = 'Active') AS active,
               count(*) FILTER (WHERE status = 'Closed') AS closed, count(*) FILTER (WHERE tombstone) AS tombstones
        FROM changed GROUP BY organization_id) c;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_conversation() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF TG_ARGV[0] = 'unread' THEN
    PERFORM change_conversation_totals(NEW.organization_id, true, 0, 0, 0);
  ELSE
    PERFORM change_conversation_totals(NEW.organization_id, false,
      (NEW.status = 'Active')::int - (OLD.status = 'Active')::int,
      (NEW.status = 'Closed')::int - (OLD.status = 'Closed')::int, NEW.tombstone::int - OLD.tombstone::int);
  END IF;
  RETURN NULL;
END $$;

DROP FUNCTION raise_conversation_version(uuid, bool);

CREATE FUNCTION forget_conversation_totals() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE conversation_version SET changes = changes + 1, active = 0, closed = 0, tombstones = 0 WHERE NOT of_unread;
  RETURN NULL;
END $$;
CREATE TRIGGER note_truncated AFTER TRUNCATE ON conversation FOR EACH STATEMENT EXECUTE FUNCTION forget_conversation_totals();
