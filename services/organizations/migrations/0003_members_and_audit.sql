-- What it takes to run an organization: invitations, its audit, its end. And how far this service has followed the events
-- of contacts, which tell what is to be audited there.

-- An organization that was deleted: nobody gets in any more, and its rows are removed bit by bit, its own last.
ALTER TABLE organization ADD COLUMN deleted_at timestamptz;

-- What is no more and may still have rows here: see common/removals. A row is written in the transaction that deletes.
CREATE TABLE removal (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,  -- of what was deleted
  started_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- when it is to be worked on again
  finished_at timestamptz,                    -- of those that are kept
  PRIMARY KEY (organization_id, kind, id)
);
CREATE INDEX removal_due ON removal (due_at) WHERE finished_at IS NULL;

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
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invite_open ON invite (organization_id, lower(email)) WHERE accepted_at IS NULL;

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

-- Who did what, when and from where. Members, credentials and subjects may be gone: their ids are not references.
CREATE TABLE audit (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),  -- to the millisecond, as cursors tell it
  action text NOT NULL,
  member_id uuid,
  member_email text NOT NULL,
  credential_id text NOT NULL,
  subject_id uuid,
  subject text NOT NULL,
  address text NOT NULL,
  request_id text NOT NULL,
  before jsonb,
  after jsonb,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_created ON audit (organization_id, created_at, id);

-- Append only: rows leave with their organization alone.
CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM organization o WHERE o.organization_id = OLD.organization_id AND o.deleted_at IS NULL;
    IF NOT FOUND THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION keep_audit();
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();

-- How far each feed has been applied; moved in the transaction that applies, by compare-and-set.
CREATE TABLE feed_cursor (
  producer text PRIMARY KEY,
  epoch uuid,  -- of the producer's feed; null before the first answer
  position bigint NOT NULL DEFAULT 0
);

-- Events that could not be applied, set aside so that those behind them could. Tried again when the process starts.
CREATE TABLE parked_event (
  producer text NOT NULL,
  epoch uuid NOT NULL,
  position bigint NOT NULL,
  changes jsonb NOT NULL,
  error text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (producer, epoch, position)
);
