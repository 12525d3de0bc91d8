-- Organizations, their members, what these may do, and their accounts on the messaging channel. Every table of a tenant has
-- organization_id first in its keys. Two tables are directories over all organizations: person, as one person may be a
-- member of several, and phone_directory, as a number belongs to one organization only.

CREATE TABLE person (
  id uuid NOT NULL PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Argon2id in its usual text form, with its salt and cost. Without one the person has no password yet, and acts by API
  -- keys.
  password_hash text,
  -- Since when the address is known to be the person's: by the word of an operator, or by a token that an operator handed
  -- out. Whoever registers or accepts an invitation may have named somebody else's address: null.
  address_proved_at timestamptz,
  -- When an operator gave the address to somebody else than who was first with it: memberships from before are theirs.
  taken_over_at timestamptz,
  -- How many organizations a person may own, where an operator has said so.
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
  -- An organization that was deleted: nobody gets in any more, and its rows are removed bit by bit, its own last.
  deleted_at timestamptz,
  -- An organization is shown with its account, whose version is part of its own.
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
  -- The roles of members and invitations are told from rows of their own: see http::add_to_version(). What these roles
  -- are is their own business, as a name is its person's.
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
  permissions bigint NOT NULL CHECK (permissions >= 0),  -- bits, as identity::Permission numbers them
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

-- Whoever has the token becomes a member, once. Of the token's secret only its SHA-256 is here. What is revoked is gone.
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

-- A role that is deleted meanwhile is not given.
CREATE TABLE invite_role (
  organization_id uuid NOT NULL,
  invite_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (organization_id, invite_id, role_id),
  FOREIGN KEY (organization_id, invite_id) REFERENCES invite ON DELETE CASCADE,
  FOREIGN KEY (organization_id, role_id) REFERENCES role ON DELETE CASCADE
);
CREATE INDEX invite_role_role ON invite_role (organization_id, role_id);

-- API keys. Of the secret only its SHA-256 is here. A member has at most one default key that is not revoked.
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
  last_used_at timestamptz,  -- to the minute
  -- Not that it was used.
  version bigint NOT NULL DEFAULT 0,
  -- The key that a key was made with: it ends with that. Null: it was made by who had signed in, or by an operator.
  made_by uuid,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, member_id) REFERENCES member ON DELETE CASCADE
);
CREATE INDEX credential_member ON credential (organization_id, member_id);
CREATE UNIQUE INDEX credential_default ON credential (organization_id, member_id) WHERE is_default AND revoked_at IS NULL;
-- The keys that are listed: a member's that were replaced may be many.
CREATE INDEX credential_live ON credential (organization_id, member_id, id) WHERE revoked_at IS NULL;
CREATE INDEX credential_made_by ON credential (made_by) WHERE made_by IS NOT NULL AND revoked_at IS NULL;
CREATE TRIGGER raise_version BEFORE UPDATE OF member_id, name, is_default, expires_at, revoked_at
  ON credential FOR EACH ROW
  WHEN ((OLD.member_id, OLD.name, OLD.is_default, OLD.expires_at, OLD.revoked_at)
          IS DISTINCT FROM (NEW.member_id, NEW.name, NEW.is_default, NEW.expires_at, NEW.revoked_at))
  EXECUTE FUNCTION raise_version();
