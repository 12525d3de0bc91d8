-- Copies of the files of single messages: the channel deletes its own after days. Neither campaigns' messages, which may
-- be millions with one file, nor what is there already.
CREATE TABLE media_file (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  media_id text NOT NULL,  -- the channel's
  -- Waiting: to be copied. Kept: the store has it. Missing: it has not, and will not; `reason` says why.
  state text NOT NULL DEFAULT 'Waiting' CHECK (state IN ('Waiting', 'Kept', 'Missing')),
  reason text CHECK ((reason IS NOT NULL) = (state = 'Missing')),
  created_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- of the next attempt; of one under way, when it counts as lost
  lease uuid,  -- of the attempt under way
  attempts int NOT NULL DEFAULT 0,
  -- The store that has it, or may have some of it.
  place text CHECK (place IN ('Database', 'Bucket')),
  octets bigint,  -- counted in media_use
  sha256 bytea,
  mime_type text,
  kept_at timestamptz CHECK ((kept_at IS NOT NULL) = (state = 'Kept')),
  PRIMARY KEY (organization_id, message_id)
);
CREATE INDEX media_file_due ON media_file (organization_id, due_at) WHERE state = 'Waiting';
CREATE INDEX media_file_due_of_all ON media_file (due_at) WHERE state = 'Waiting';
CREATE INDEX media_file_waiting ON media_file (created_at) WHERE state = 'Waiting';
CREATE INDEX media_file_kept ON media_file (kept_at) WHERE state = 'Kept';

-- The octets of those in the database, 256 KiB a row but for the last.
CREATE TABLE media_chunk (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,
  number int NOT NULL,
  octets bytea NOT NULL,
  PRIMARY KEY (organization_id, message_id, number),
  FOREIGN KEY (organization_id, message_id) REFERENCES media_file ON DELETE CASCADE
);
-- Images, sound and video are compressed already.
ALTER TABLE media_chunk ALTER octets SET STORAGE EXTERNAL;

-- What an organization's files take together.
CREATE TABLE media_use (
  organization_id uuid NOT NULL PRIMARY KEY,
  octets bigint NOT NULL DEFAULT 0
);

-- What is to be deleted from the bucket. Rows of files go with their messages; this remains until the bucket has answered.
CREATE TABLE media_garbage (
  object_key text NOT NULL PRIMARY KEY,
  due_at timestamptz NOT NULL  -- not before an attempt under way can have ended
);
CREATE INDEX media_garbage_due ON media_garbage (due_at);

CREATE FUNCTION count_media() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
DECLARE
  more bigint := CASE WHEN TG_OP = 'DELETE' THEN 0 ELSE coalesce(NEW.octets, 0) END
               - CASE WHEN TG_OP = 'INSERT' THEN 0 ELSE coalesce(OLD.octets, 0) END;
BEGIN
  INSERT INTO media_use AS u (organization_id, octets)
  VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.organization_id ELSE NEW.organization_id END, more)
  ON CONFLICT (organization_id) DO UPDATE SET octets = u.octets + excluded.octets;
  RETURN NULL;
END $$;
CREATE TRIGGER count_inserted AFTER INSERT ON media_file FOR EACH ROW
  WHEN (NEW.octets IS NOT NULL) EXECUTE FUNCTION count_media();
CREATE TRIGGER count_updated AFTER UPDATE OF octets ON media_file FOR EACH ROW
  WHEN (OLD.octets IS DISTINCT FROM NEW.octets) EXECUTE FUNCTION count_media();
CREATE TRIGGER count_deleted AFTER DELETE ON media_file FOR EACH ROW
  WHEN (OLD.octets IS NOT NULL) EXECUTE FUNCTION count_media();

-- Whoever removes a row, and for whatever reason: the bucket's object goes too.
CREATE FUNCTION discard_media() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  INSERT INTO media_garbage (object_key, due_at)
  VALUES (OLD.organization_id || '/' || OLD.message_id,
    CASE WHEN OLD.lease IS NULL THEN now() ELSE greatest(now(), OLD.due_at) END)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER discard_deleted AFTER DELETE ON media_file FOR EACH ROW
  WHEN (OLD.place = 'Bucket') EXECUTE FUNCTION discard_media();
CREATE TRIGGER discard_updated AFTER UPDATE OF place ON media_file FOR EACH ROW
  WHEN (OLD.place = 'Bucket' AND NEW.place IS DISTINCT FROM OLD.place) EXECUTE FUNCTION discard_media();

-- In the transaction that stores the message, of the release before too. Blocked contacts fill no store.
CREATE FUNCTION queue_media() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN  -- the content is another, or none: revoked, or its contact deleted
    DELETE FROM media_file WHERE organization_id = OLD.organization_id AND message_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.message_type IN ('Image', 'Video', 'Audio', 'Document', 'Sticker') AND NEW.campaign_id IS NULL
     AND NEW.data ->> 'id' <> '' AND NOT EXISTS (
       SELECT FROM suppression s
       WHERE s.organization_id = NEW.organization_id AND s.contact_id = NEW.contact_id AND s.blocked) THEN
    INSERT INTO media_file (organization_id, message_id, media_id)
    VALUES (NEW.organization_id, NEW.id, NEW.data ->> 'id')
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_inserted AFTER INSERT ON message FOR EACH ROW
  WHEN (NEW.message_type IN ('Image', 'Video', 'Audio', 'Document', 'Sticker') AND NEW.campaign_id IS NULL
        AND NEW.data ? 'id')
  EXECUTE FUNCTION queue_media();
CREATE TRIGGER queue_deleted AFTER DELETE ON message FOR EACH ROW
  WHEN (OLD.message_type IN ('Image', 'Video', 'Audio', 'Document', 'Sticker') AND OLD.campaign_id IS NULL)
  EXECUTE FUNCTION queue_media();
CREATE TRIGGER queue_updated AFTER UPDATE OF data ON message FOR EACH ROW
  WHEN (OLD.data -> 'id' IS DISTINCT FROM NEW.data -> 'id')
  EXECUTE FUNCTION queue_media();
