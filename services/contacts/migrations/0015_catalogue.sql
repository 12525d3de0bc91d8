-- A version of an organization's lists and tags, of all but the lists' numbers of contacts: while it is the same, what
-- was read of them holds. Triggers keep it, so that no change is forgotten. As in conversation_version, there is a row
-- for each writer at a time, so that nobody waits; all rows together are the version. It is random: a number could come
-- again with other lists after a crash or a restored backup.

-- Until the triggers below are there, nobody changes any. In the order in which writers lock them.
LOCK TABLE tag, list, list_tag IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE catalogue_version (
  organization_id uuid NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  version uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (organization_id, slot)
) WITH (fillfactor = 50);

-- Once a transaction.
CREATE FUNCTION change_catalogue_version() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  organization uuid;
BEGIN
  FOR organization IN
    SELECT DISTINCT c.organization_id FROM changed c
    WHERE NOT EXISTS (SELECT FROM catalogue_version v
                      WHERE v.organization_id = c.organization_id AND v.xmin = pg_current_xact_id()::xid)
  LOOP
    -- Not a join: it may run the subquery once for each row, which would lock and change several.
    UPDATE catalogue_version v SET version = DEFAULT
    WHERE v.organization_id = organization AND v.slot = (
      SELECT slot FROM catalogue_version
      WHERE organization_id = organization
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO catalogue_version (organization_id) VALUES (organization);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER catalogue_inserted AFTER INSERT ON list REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_updated AFTER UPDATE ON list REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_deleted AFTER DELETE ON list REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_inserted AFTER INSERT ON tag REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_updated AFTER UPDATE ON tag REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_deleted AFTER DELETE ON tag REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_inserted AFTER INSERT ON list_tag REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_updated AFTER UPDATE ON list_tag REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();
CREATE TRIGGER catalogue_deleted AFTER DELETE ON list_tag REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION change_catalogue_version();

CREATE FUNCTION change_all_catalogue_versions() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE catalogue_version SET version = DEFAULT;
  RETURN NULL;
END $$;
CREATE TRIGGER catalogue_truncated AFTER TRUNCATE ON list
  FOR EACH STATEMENT EXECUTE FUNCTION change_all_catalogue_versions();
CREATE TRIGGER catalogue_truncated AFTER TRUNCATE ON tag
  FOR EACH STATEMENT EXECUTE FUNCTION change_all_catalogue_versions();
CREATE TRIGGER catalogue_truncated AFTER TRUNCATE ON list_tag
  FOR EACH STATEMENT EXECUTE FUNCTION change_all_catalogue_versions();

INSERT INTO catalogue_version (organization_id)
SELECT organization_id FROM list UNION SELECT organization_id FROM tag;
