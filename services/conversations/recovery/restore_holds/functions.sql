-- Version 1

-- As before, but for where the row is.
CREATE OR REPLACE FUNCTION is_restored() RETURNS boolean
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  AS $$ SELECT coalesce(home <> incarnation(), false) FROM feed_now() $$;
