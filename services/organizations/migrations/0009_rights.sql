-- Rights that end with those that they came from, and how much an organization may have.

-- The key that a key was made with: it ends with that. Null: it was made by who had signed in, or by an operator.
ALTER TABLE credential ADD COLUMN made_by uuid;
CREATE INDEX credential_made_by ON credential (made_by) WHERE made_by IS NOT NULL AND revoked_at IS NULL;

-- Where an operator has given an organization other limits than all have: see common/quotas.
CREATE TABLE quota (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (organization_id, name)
);

-- How many organizations a person may own, where an operator has said so.
ALTER TABLE person ADD COLUMN most_organizations bigint CHECK (most_organizations >= 0);

-- What counts against the limit of that name.
CREATE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'members' THEN (SELECT count(*) FROM member WHERE organization_id = organization)
    WHEN 'invitations' THEN (SELECT count(*) FROM invite
                             WHERE organization_id = organization AND accepted_at IS NULL AND expires_at > now())
    WHEN 'roles' THEN (SELECT count(*) FROM role WHERE organization_id = organization)
    WHEN 'api-keys' THEN (SELECT count(*) FROM credential
                          WHERE organization_id = organization AND revoked_at IS NULL
                            AND (expires_at IS NULL OR expires_at > now()))
  END $$;
