-- What the channel's webhooks bring.

-- Bodies of webhooks, stored before they are acknowledged, deleted when applied. Only the body tells the organization.
CREATE TABLE inbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid,  -- of the URL that received it; null: the application's URL
  received_at timestamptz NOT NULL DEFAULT now(),
  body bytea NOT NULL,
  -- Until then another process asks other services about the body.
  asked_until timestamptz,
  -- webhook_owner_of(); '': unknown
  owner text NOT NULL DEFAULT ''
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- An expression in place of `id`: otherwise the planner, which may think the table empty, would use this index for
-- lookups by id.
CREATE INDEX inbox_owner ON inbox (owner, (id + 0));

-- Elements of webhooks (a message, a status, a change) that could not be applied while the rest of the body was.
CREATE TABLE parked_element (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid,   -- null: unknown
  phone_number_id text,
  field text NOT NULL,    -- of the change: messages, user_preferences ...
  kind text NOT NULL,     -- message, status, change, body
  element bytea NOT NULL, -- its JSON as received, with the context that it needs
  error text NOT NULL,
  received_at timestamptz NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 1,
  due_at timestamptz,      -- when it is retried; null: only when an operator replays it
  -- What it waits for: the message that it refers to (or nothing, when it is not retried), an answer about it, or a
  -- service that does not respond. Elements that wait for a service are retried as soon as it responds, however many.
  awaits text NOT NULL DEFAULT 'message' CHECK (awaits IN ('message', 'answer', 'contacts', 'organizations')),
  owner text NOT NULL DEFAULT ''
);
CREATE INDEX parked_element_due ON parked_element (due_at) WHERE due_at IS NOT NULL;
-- parked_element_due is for releases before this index.
CREATE INDEX parked_element_awaiting ON parked_element (awaits, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX parked_element_owner ON parked_element (awaits, owner, due_at, id) WHERE due_at IS NOT NULL;

-- Every owner that ever had a body in the inbox: a queue cannot list its owners without a full scan.
CREATE TABLE webhook_owner (owner text PRIMARY KEY);

INSERT INTO webhook_owner VALUES ('');

-- Contacts that campaigns leave out. The newer information wins, whichever side has it first: a STOP arrives here, a
-- member's change of a contact's status comes from contacts.
CREATE TABLE suppression (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  opted_out bool NOT NULL DEFAULT false,
  opted_out_at timestamptz NOT NULL DEFAULT '-infinity',  -- when opted_out got its value
  blocked bool NOT NULL DEFAULT false,
  blocked_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (organization_id, contact_id)
);

-- Words that opt a contact out or in, and the replies. An organization without a row has the built-in words.
CREATE TABLE opt_out_settings (
  organization_id uuid NOT NULL PRIMARY KEY,
  stop_words text[] NOT NULL,
  start_words text[] NOT NULL,
  stop_answer text NOT NULL,   -- '': no reply
  start_answer text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
