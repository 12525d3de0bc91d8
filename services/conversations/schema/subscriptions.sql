-- Webhooks that organizations subscribe: events are posted to their URLs.

CREATE TABLE webhook (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  events text[] NOT NULL,
  active bool NOT NULL,
  secret text NOT NULL,          -- signs deliveries; sealed, see common/secrets
  old_secret text,               -- the previous one, which also signs until then
  old_secret_until timestamptz,
  failing_since timestamptz,     -- the first failure after the last success
  disabled_at timestamptz,       -- it failed for too long, and is inactive since
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Not raised by failures before it is disabled, nor by sealing its secrets again.
  version bigint NOT NULL DEFAULT 0,
  -- The member who last set the URL or the events: the webhook is called while that member may see them. Null: not
  -- recorded.
  answerable_id uuid,
  check_due_at timestamptz,  -- when organizations is asked about that member again
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

-- The body of a delivery: one for all webhooks of an organization that subscribe to it, and the same at each attempt.
CREATE TABLE webhook_notice (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,  -- the header webhook-id
  type text NOT NULL,
  contact_id uuid,   -- the contact whose words it may contain
  body text,         -- null: that contact was deleted
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX webhook_notice_contact ON webhook_notice (organization_id, contact_id)
  WHERE contact_id IS NOT NULL AND body IS NOT NULL;
CREATE INDEX webhook_notice_age ON webhook_notice (created_at);

-- The log of deliveries, and the queue of pending ones.
CREATE TABLE webhook_delivery (
  organization_id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  id uuid NOT NULL,
  notice_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'Pending' CHECK (state IN ('Pending', 'Delivered', 'Failed')),
  due_at timestamptz DEFAULT clock_timestamp(),  -- during an attempt: when another process may take it over
  tries int NOT NULL DEFAULT 0,      -- since it was made or replayed: the position in the schedule of retries
  attempts int NOT NULL DEFAULT 0,   -- in total
  -- The last attempt:
  attempted_at timestamptz,
  duration_ms int,
  response_status int,
  response_body text,                -- its beginning
  error text,                        -- why there was no response, or no attempt
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, webhook_id, id),
  CHECK ((state = 'Pending') = (due_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_delivery_due ON webhook_delivery (organization_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_state ON webhook_delivery (organization_id, webhook_id, state, id);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
-- Deliveries that were given up, for operators who list or replay them.
CREATE INDEX webhook_delivery_failed ON webhook_delivery (organization_id, webhook_id, id) WHERE state = 'Failed';
CREATE INDEX webhook_delivery_next ON webhook_delivery (due_at) WHERE due_at IS NOT NULL;
