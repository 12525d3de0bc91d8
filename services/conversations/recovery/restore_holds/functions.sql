-- Version 1 of restore_holds

-- Whether the database was restored from a dump: see incarnation().
CREATE OR REPLACE FUNCTION is_restored() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT coalesce(home <> incarnation(), false) FROM feed_now() $$;
