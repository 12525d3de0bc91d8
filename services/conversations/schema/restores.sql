-- Detects a database restored from a dump. Messages sent after the backup are missing in it and would be sent again, so
-- nothing is sent until an operator runs after-restore. `home` holds the oids of these tables; a dump's have others. A
-- migration that makes one of the tables anew begins with UPDATE feed SET home = NULL WHERE NOT is_restored(), and ends
-- with UPDATE feed SET home = incarnation() WHERE home IS NULL. A copy of the server's files, or a standby, has the
-- same oids: only the operator knows.
CREATE FUNCTION incarnation() RETURNS text
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT concat_ws(' ', 'chunk'::regclass::oid, 'feed'::regclass::oid, 'message'::regclass::oid,
                         'outgoing'::regclass::oid, 'sender'::regclass::oid, 'target'::regclass::oid) $$;

ALTER TABLE feed ADD COLUMN home text;  -- null: unknown
UPDATE feed SET home = incarnation();
