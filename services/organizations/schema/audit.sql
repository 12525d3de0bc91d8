-- The audit: actor, action, time and address. Members, credentials and subjects may be gone: their ids are no
-- references.
CREATE TABLE audit (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),  -- milliseconds, as in cursors
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

-- Append-only: rows are removed only with their organization.
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
