-- What the channel's webhooks bring.

-- Webhooks' bodies, as they came, from before they are answered until they are applied. Their organization is only known
-- by what is in them.
CREATE TABLE inbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid,  -- of the URL that it came to; null: the application's own
  received_at timestamptz NOT NULL DEFAULT now(),
  body bytea NOT NULL,
  -- Until then somebody asks other services about the body, and others pass it over.
  asked_until timestamptz,
  -- '': nobody's, and what the version before this one writes. They are one owner.
  owner text NOT NULL DEFAULT ''
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- Not of `id` itself: what is looked for by its id, when the table seems empty, would be looked for in all of this index.
CREATE INDEX inbox_owner ON inbox (owner, (id + 0));

-- Single elements of webhooks (a message, a status, a change) that could not be applied while the others were.
CREATE TABLE parked_element (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid,   -- where it is known
  phone_number_id text,
  field text NOT NULL,    -- of the change: messages, user_preferences ...
  kind text NOT NULL,     -- message, status, change, body
  element bytea NOT NULL, -- its JSON as it came, with what it needs of its surroundings
  error text NOT NULL,
  received_at timestamptz NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 1,
  due_at timestamptz,      -- when it is tried again by itself; null: not before it is replayed
  -- What an element of a webhook waits for, and its `attempts` count: the message that it is about (or nothing, when it is
  -- not tried again by itself), an answer about it, or a service that answers nobody. What waits for a service is taken
  -- when that is back, however much it is, and tried no sooner.
  awaits text NOT NULL DEFAULT 'message' CHECK (awaits IN ('message', 'answer', 'contacts', 'organizations')),
  owner text NOT NULL DEFAULT ''
);
CREATE INDEX parked_element_due ON parked_element (due_at) WHERE due_at IS NOT NULL;
-- In place of parked_element_due, which is left to the version before this one.
CREATE INDEX parked_element_awaiting ON parked_element (awaits, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX parked_element_owner ON parked_element (awaits, owner, due_at, id) WHERE due_at IS NOT NULL;

-- All that ever had a body in the inbox, as a queue cannot tell its owners without being read whole.
CREATE TABLE webhook_owner (owner text PRIMARY KEY);

INSERT INTO webhook_owner VALUES ('');

-- Whom campaigns leave out, and why. The newer word holds, whichever side heard it first: a contact's STOP comes in here,
-- a member's change of a contact's status comes from contacts.
CREATE TABLE suppression (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  opted_out bool NOT NULL DEFAULT false,
  opted_out_at timestamptz NOT NULL DEFAULT '-infinity',  -- when opted_out got its value
  blocked bool NOT NULL DEFAULT false,
  blocked_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (organization_id, contact_id)
);

-- What makes an inbound message an opt-out, and what is answered. An organization without a row has the built-in words.
CREATE TABLE opt_out_settings (
  organization_id uuid NOT NULL PRIMARY KEY,
  stop_words text[] NOT NULL,
  start_words text[] NOT NULL,
  stop_answer text NOT NULL,   -- '' answers nothing
  start_answer text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
