-- The trigger that raises a row's version, which If-Match compares, when a client may have changed something of it, whichever
-- program did. The version is a time and not a counter: a database that was restored from a backup must not give a version
-- again that it gave before.
CREATE FUNCTION raise_version() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.version := greatest(OLD.version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  RETURN NEW;
END $$;
