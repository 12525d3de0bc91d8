-- Notes that members write to each other in a conversation. No contact sees one, and the channel gets none.
CREATE TABLE note (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  text text NOT NULL,
  mentions uuid[] NOT NULL DEFAULT '{}',  -- members
  written_by_member uuid NOT NULL,  -- the author: the member, or the one that the key stands for
  written_by_key uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  edited_at timestamptz,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, conversation_id) REFERENCES conversation ON DELETE CASCADE
);
CREATE INDEX note_conversation ON note (organization_id, conversation_id, id);
CREATE TRIGGER raise_version BEFORE UPDATE OF text, mentions ON note FOR EACH ROW
  WHEN ((OLD.text, OLD.mentions) IS DISTINCT FROM (NEW.text, NEW.mentions))
  EXECUTE FUNCTION raise_version();
