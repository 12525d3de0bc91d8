-- Texts that an organization has ready for its members to send, each under a shortcut.
CREATE TABLE quick_reply (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  shortcut text COLLATE "C" NOT NULL,
  text text NOT NULL,  -- with variables, as a campaign's
  media jsonb,         -- as in the API
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX quick_reply_shortcut ON quick_reply (organization_id, lower(shortcut));
CREATE TRIGGER raise_version BEFORE UPDATE OF shortcut, text, media ON quick_reply FOR EACH ROW
  WHEN ((OLD.shortcut, OLD.text, OLD.media) IS DISTINCT FROM (NEW.shortcut, NEW.text, NEW.media))
  EXECUTE FUNCTION raise_version();
