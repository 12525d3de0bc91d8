-- The segments whose contacts a campaign is for, beside its lists. The release before knows none: it reads and writes campaigns
-- without them.
ALTER TABLE campaign ADD COLUMN segment_ids uuid[] NOT NULL DEFAULT '{}';

DROP TRIGGER raise_version ON campaign;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, status, message, variants, list_ids, excluded_list_ids,
    segment_ids, tag_ids, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second
  ON campaign FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.status, OLD.message, OLD.variants, OLD.list_ids, OLD.excluded_list_ids,
         OLD.segment_ids, OLD.tag_ids, OLD.phone_number_id, OLD.scheduled_at, OLD.timezone, OLD.allowed_lateness,
         OLD.messages_per_second)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.status, NEW.message, NEW.variants, NEW.list_ids, NEW.excluded_list_ids,
         NEW.segment_ids, NEW.tag_ids, NEW.phone_number_id, NEW.scheduled_at, NEW.timezone, NEW.allowed_lateness,
         NEW.messages_per_second))
  EXECUTE FUNCTION raise_version();
