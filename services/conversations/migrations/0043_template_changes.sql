-- Templates are made, changed and deleted here, and follow what the channel tells of them.
ALTER TABLE template
  ADD COLUMN quality text NOT NULL DEFAULT 'UNKNOWN',  -- GREEN, YELLOW, RED
  -- When the channel told the newest webhook of each: webhooks come in any order.
  ADD COLUMN status_told_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN quality_told_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN category_told_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF category, components ON template FOR EACH ROW
  WHEN ((OLD.category, OLD.components) IS DISTINCT FROM (NEW.category, NEW.components))
  EXECUTE FUNCTION raise_version();

-- A list that was asked for before something changed is not good, though it comes later.
ALTER TABLE channel_list ADD COLUMN changed_at timestamptz NOT NULL DEFAULT '-infinity';
