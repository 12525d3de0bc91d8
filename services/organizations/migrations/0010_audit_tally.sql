-- How many entries of an action the audit has: the sum of its rows. A transaction takes any row that is not locked, or
-- makes one: nobody waits, and there are as many rows as there were concurrent writers.
CREATE TABLE audit_tally (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  action text NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  entries bigint NOT NULL,
  PRIMARY KEY (organization_id, action, slot)
) WITH (fillfactor = 50);

CREATE FUNCTION tally_audit() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  more record;
BEGIN
  FOR more IN SELECT organization_id, action, count(*) AS entries FROM added GROUP BY 1, 2 ORDER BY 1, 2 LOOP
    -- Not a join: it may run the subquery once for each row, which would lock and change several.
    UPDATE audit_tally t SET entries = t.entries + more.entries
    WHERE t.organization_id = more.organization_id AND t.action = more.action AND t.slot = (
      SELECT slot FROM audit_tally
      WHERE organization_id = more.organization_id AND action = more.action
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      INSERT INTO audit_tally (organization_id, action, entries)
      VALUES (more.organization_id, more.action, more.entries);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
-- Locks the audit against insertion until the entries that there are have been counted.
CREATE TRIGGER audit_tallied AFTER INSERT ON audit REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();
INSERT INTO audit_tally (organization_id, action, entries)
SELECT organization_id, action, count(*) FROM audit GROUP BY organization_id, action;
