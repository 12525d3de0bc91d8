-- Webhooks that organizations subscribe: events are posted to their URLs.

CREATE TABLE webhook (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  events text[] NOT NULL,
  active bool NOT NULL,
  secret text NOT NULL,          -- signs what is posted; sealed: see common/secrets
  old_secret text,               -- the one before, which signs beside it until then
  old_secret_until timestamptz,
  failing_since timestamptz,     -- the first failure after the last success
  disabled_at timestamptz,       -- it failed for too long, and is not active since
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Not that it fails, until it is disabled; nor that its secrets are sealed anew.
  version bigint NOT NULL DEFAULT 0,
  -- The member who said last where a webhook leads and what it hears: it is called for as long as they may see that. Null:
  -- it was made before this was noted.
  answerable_id uuid,
  check_due_at timestamptz,  -- when organizations is asked whether they still may
  disabled_reason text,      -- null: it failed for too long
  PRIMARY KEY (organization_id, id),
  CHECK (NOT (active AND disabled_at IS NOT NULL))
);
CREATE INDEX webhook_check ON webhook (check_due_at) WHERE check_due_at IS NOT NULL;
CREATE TRIGGER raise_version BEFORE UPDATE OF url, description, events, active, disabled_at, old_secret_until
  ON webhook FOR EACH ROW
  WHEN ((OLD.url, OLD.description, OLD.events, OLD.active, OLD.disabled_at, OLD.old_secret_until)
          IS DISTINCT FROM (NEW.url, NEW.description, NEW.events, NEW.active, NEW.disabled_at, NEW.old_secret_until))
  EXECUTE FUNCTION raise_version();

-- What is posted: once for all webhooks of the organization that asked for it, and the same each time.
CREATE TABLE webhook_notice (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,  -- the header webhook-id
  type text NOT NULL,
  contact_id uuid,   -- whose words may be in it
  body text,         -- null: that contact was deleted
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_notice_contact ON webhook_notice (organization_id, contact_id)
  WHERE contact_id IS NOT NULL AND body IS NOT NULL;
CREATE INDEX webhook_notice_age ON webhook_notice (created_at);

-- The log, and by the same rows what is still to be posted.
CREATE TABLE webhook_delivery (
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  notice_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'Pending' CHECK (state IN ('Pending', 'Delivered', 'Failed')),
  due_at timestamptz DEFAULT clock_timestamp(),  -- while it is under way: when somebody else may take it over
  tries int NOT NULL DEFAULT 0,      -- since it was made or replayed: its place in the schedule
  attempts int NOT NULL DEFAULT 0,   -- in all
  -- Of the last attempt:
  attempted_at timestamptz,
  duration_ms int,
  response_status int,
  response_body text,                -- how it begins
  error text,                        -- why there was no answer, or why it was not posted
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, webhook_id, id),
  CHECK ((state = 'Pending') = (due_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_delivery_due ON webhook_delivery (organization_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_state ON webhook_delivery (organization_id, webhook_id, state, id);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
-- Deliveries that were given up are found without reading the log, for operators who list them or have them tried again.
CREATE INDEX webhook_delivery_failed ON webhook_delivery (organization_id, webhook_id, id) WHERE state = 'Failed';
CREATE INDEX webhook_delivery_next ON webhook_delivery (due_at) WHERE due_at IS NOT NULL;
