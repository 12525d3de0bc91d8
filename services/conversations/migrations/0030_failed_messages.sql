-- Whether a message failed, apart from its status: an index may have this column as its condition, and the statuses of
-- a message that does not fail stay HOT updates.
ALTER TABLE message ADD COLUMN failed bool NOT NULL DEFAULT false;

CREATE FUNCTION note_failure() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.failed := NEW.status IN ('Failed', 'UnDelivered');
  RETURN NEW;
END $$;
CREATE TRIGGER note_failure BEFORE INSERT OR UPDATE OF status ON message FOR EACH ROW
  WHEN ((NEW.status IN ('Failed', 'UnDelivered')) <> NEW.failed)
  EXECUTE FUNCTION note_failure();
