-- A database that was restored from a backup, and events that are tried again at an operator's word.

-- When an event that was set aside is tried again while the process runs; null: when it starts, or an operator says so.
ALTER TABLE parked_event ADD COLUMN due_at timestamptz;

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
CREATE FUNCTION is_restored() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT coalesce(home <> incarnation(), false) FROM feed $$;

-- A campaign that may have gone on after the backup waits as Paused, and is resumed only when an operator has let it go and
-- said to whom it may have been sent: those up to an ordinal get messages that are in doubt from the first and are never
-- sent. The channel's statuses settle them, if there come any.
ALTER TABLE campaign
  ADD COLUMN held bool NOT NULL DEFAULT false,
  ADD COLUMN doubtful int NOT NULL DEFAULT 0;
