-- Versions, which If-Match compares.

-- A row has another version when a client may have changed something of it, whichever program did. Not only the next
-- number: a database that was restored from a backup must not give a version again that it gave before.
CREATE FUNCTION raise_version() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  NEW.version := greatest(OLD.version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  RETURN NEW;
END $$;

-- An organization is shown with its account, whose version is part of its own.
ALTER TABLE organization ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, website_url, logo_url, favicon_url,
    is_auto_handling_conversations_enabled, is_onboarding_completed
  ON organization FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.website_url, OLD.logo_url, OLD.favicon_url,
         OLD.is_auto_handling_conversations_enabled, OLD.is_onboarding_completed)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.website_url, NEW.logo_url, NEW.favicon_url,
         NEW.is_auto_handling_conversations_enabled, NEW.is_onboarding_completed))
  EXECUTE FUNCTION raise_version();

-- Not that its secrets are sealed anew.
ALTER TABLE account ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF updated_at ON account FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at)
  EXECUTE FUNCTION raise_version();

-- The roles of members and invitations are told from rows of their own: see http::add_to_version(). What these roles
-- are is their own business, as a name is its person's.
ALTER TABLE member ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF access_level ON member FOR EACH ROW
  WHEN (OLD.access_level <> NEW.access_level)
  EXECUTE FUNCTION raise_version();

ALTER TABLE role ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, permissions ON role FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.permissions) IS DISTINCT FROM (NEW.name, NEW.description, NEW.permissions))
  EXECUTE FUNCTION raise_version();

ALTER TABLE invite ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF email, access_level, expires_at, accepted_at ON invite FOR EACH ROW
  WHEN ((OLD.email, OLD.access_level, OLD.expires_at, OLD.accepted_at)
          IS DISTINCT FROM (NEW.email, NEW.access_level, NEW.expires_at, NEW.accepted_at))
  EXECUTE FUNCTION raise_version();

-- Not that it was used.
ALTER TABLE credential ADD COLUMN version bigint NOT NULL DEFAULT 0;
CREATE TRIGGER raise_version BEFORE UPDATE OF member_id, name, is_default, expires_at, revoked_at
  ON credential FOR EACH ROW
  WHEN ((OLD.member_id, OLD.name, OLD.is_default, OLD.expires_at, OLD.revoked_at)
          IS DISTINCT FROM (NEW.member_id, NEW.name, NEW.is_default, NEW.expires_at, NEW.revoked_at))
  EXECUTE FUNCTION raise_version();
