-- Organizations, their members and roles. Every table of a tenant has organization_id first in its keys. Two tables are
-- directories over all organizations: person, who may be a member of several, and phone_directory, as a number belongs
-- to one.

CREATE TABLE person (
  id uuid NOT NULL PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Argon2id in its encoded form. Null: no password yet; the person uses API keys.
  password_hash text,
  -- Since when the address is known to be the person's: by an operator's word or token. Null: whoever registers or
  -- accepts an invitation may have given another person's address.
  address_proved_at timestamptz,
  -- When an operator assigned the address to another person: memberships from before are that of the former one.
  taken_over_at timestamptz,
  -- How many organizations the person may own; null: the default.
  most_organizations bigint CHECK (most_organizations >= 0)
);
CREATE UNIQUE INDEX person_email ON person (lower(email));

CREATE TABLE organization (
  organization_id uuid NOT NULL PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  website_url text NOT NULL DEFAULT '',
  logo_url text NOT NULL DEFAULT '',
  favicon_url text NOT NULL DEFAULT '',
  is_auto_handling_conversations_enabled bool NOT NULL DEFAULT false,
  is_onboarding_completed bool NOT NULL DEFAULT false,  -- a messaging account was connected
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Deleted: nobody gets access any more, and its rows are removed in steps, this one last.
  deleted_at timestamptz,
  -- An organization is shown with its account, whose version is added to this one.
  version bigint NOT NULL DEFAULT 0
);
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, website_url, logo_url, favicon_url,
    is_auto_handling_conversations_enabled, is_onboarding_completed
  ON organization FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.website_url, OLD.logo_url, OLD.favicon_url,
         OLD.is_auto_handling_conversations_enabled, OLD.is_onboarding_completed)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.website_url, NEW.logo_url, NEW.favicon_url,
         NEW.is_auto_handling_conversations_enabled, NEW.is_onboarding_completed))
  EXECUTE FUNCTION raise_version();

CREATE TABLE member (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  person_id uuid NOT NULL REFERENCES person,
  access_level text NOT NULL CHECK (access_level IN ('Owner', 'Admin', 'Member')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The roles of members and invitations have rows of their own: see http::add_to_version(). A role's content and a
  -- person's name have their own versions.
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT member_person UNIQUE (organization_id, person_id)
);
CREATE INDEX member_organizations ON member (person_id, organization_id);  -- the organizations of a person
CREATE TRIGGER raise_version BEFORE UPDATE OF access_level ON member FOR EACH ROW
  WHEN (OLD.access_level <> NEW.access_level)
  EXECUTE FUNCTION raise_version();

CREATE TABLE role (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  permissions bigint NOT NULL CHECK (permissions >= 0),  -- bits of identity::Permission
  created_at timestamptz NOT NULL DEFAULT now(),
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX role_name ON role (organization_id, lower(name));
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, permissions ON role FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.permissions) IS DISTINCT FROM (NEW.name, NEW.description, NEW.permissions))
  EXECUTE FUNCTION raise_version();

CREATE TABLE member_role (
  organization_id uuid NOT NULL,
  member_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (organization_id, member_id, role_id),
  FOREIGN KEY (organization_id, member_id) REFERENCES member ON DELETE CASCADE,
  FOREIGN KEY (organization_id, role_id) REFERENCES role ON DELETE CASCADE
);
CREATE INDEX member_role_role ON member_role (organization_id, role_id);

-- An invitation: the first holder of the token becomes a member. Only the SHA-256 of the token's secret is stored.
-- Revoked ones are deleted.
CREATE TABLE invite (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  email text NOT NULL,
  access_level text NOT NULL CHECK (access_level IN ('Owner', 'Admin', 'Member')),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  invited_by uuid NOT NULL,  -- the member who granted this; may be gone
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invite_open ON invite (organization_id, lower(email)) WHERE accepted_at IS NULL;
CREATE TRIGGER raise_version BEFORE UPDATE OF email, access_level, expires_at, accepted_at ON invite FOR EACH ROW
  WHEN ((OLD.email, OLD.access_level, OLD.expires_at, OLD.accepted_at)
          IS DISTINCT FROM (NEW.email, NEW.access_level, NEW.expires_at, NEW.accepted_at))
  EXECUTE FUNCTION raise_version();

-- A role deleted meanwhile is not given.
CREATE TABLE invite_role (
  organization_id uuid NOT NULL,
  invite_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (organization_id, invite_id, role_id),
  FOREIGN KEY (organization_id, invite_id) REFERENCES invite ON DELETE CASCADE,
  FOREIGN KEY (organization_id, role_id) REFERENCES role ON DELETE CASCADE
);
CREATE INDEX invite_role_role ON invite_role (organization_id, role_id);

-- API keys. Only the SHA-256 of the secret is stored. A member has at most one default key that is not revoked.
CREATE TABLE credential (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  member_id uuid NOT NULL,
  name text NOT NULL DEFAULT '',
  is_default bool NOT NULL DEFAULT false,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,  -- written once a minute at most
  -- Not raised by its use.
  version bigint NOT NULL DEFAULT 0,
  -- The key that made this key, and ends it with its own end. Null: made in a session, or by an operator.
  made_by uuid,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES member ON DELETE CASCADE
);
CREATE INDEX credential_member ON credential (organization_id, member_id);
CREATE UNIQUE INDEX credential_default ON credential (organization_id, member_id) WHERE is_default AND revoked_at IS NULL;
-- The keys that are listed; a member may have many replaced ones.
CREATE INDEX credential_live ON credential (organization_id, member_id, id) WHERE revoked_at IS NULL;
CREATE INDEX credential_made_by ON credential (made_by) WHERE made_by IS NOT NULL AND revoked_at IS NULL;
CREATE TRIGGER raise_version BEFORE UPDATE OF member_id, name, is_default, expires_at, revoked_at
  ON credential FOR EACH ROW
  WHEN ((OLD.member_id, OLD.name, OLD.is_default, OLD.expires_at, OLD.revoked_at)
          IS DISTINCT FROM (NEW.member_id, NEW.name, NEW.is_default, NEW.expires_at, NEW.revoked_at))
  EXECUTE FUNCTION raise_version();
