-- What was sent after the backup is not in it, and would be sent again. Whoever restored it says so by the command
-- after-restore; until then nothing is sent from a database that was restored from a dump: its tables have other numbers
-- than those that the migrations made, which `home` keeps. A migration that makes one of these tables anew writes it anew.
-- A restored server (a copy of its files, or a standby) has the same ones: there only the operator can tell.
CREATE FUNCTION incarnation() RETURNS text
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT concat_ws(' ', 'chunk'::regclass::oid, 'feed'::regclass::oid, 'message'::regclass::oid,
                         'outgoing'::regclass::oid, 'sender'::regclass::oid, 'target'::regclass::oid) $$;

ALTER TABLE feed ADD COLUMN home text;  -- null: not known
UPDATE feed SET home = incarnation();
