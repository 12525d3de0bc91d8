-- What comes from the channel and what goes to it.

-- The service window: what is no template is taken by the channel for 24 hours from here. By the channel's clock; kept by
-- who applies inbound messages.
ALTER TABLE conversation ADD COLUMN last_inbound_at timestamptz;

ALTER TABLE message ADD COLUMN status_at timestamptz;  -- when it got its status, by the channel's clock where that told it

-- What an outbound message's status can only rise to. Failed was never accepted; UnDelivered was, and may still be
-- followed by a Delivered: several devices report. Statuses come late, twice and in any order.
CREATE FUNCTION status_rank(text) RETURNS int
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT array_position(ARRAY['Queued', 'Failed', 'Sent', 'UnDelivered', 'Delivered', 'Read'], $1) $$;

-- The channel's message ids, each once: what is delivered to us again is told by them, and statuses find their message.
-- Hashed, since a phone number can be read from them and they stay when the contact is deleted.
CREATE TABLE channel_message (
  organization_id uuid NOT NULL,
  key uuid NOT NULL,  -- channel_key()
  message_id uuid NOT NULL,
  PRIMARY KEY (organization_id, key)
);

-- The demonstration's and whatever else was there before.
CREATE FUNCTION channel_key(channel_message_id text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT md5($1)::uuid $$;
INSERT INTO channel_message (organization_id, key, message_id)
SELECT organization_id, channel_key(channel_message_id), id FROM message WHERE channel_message_id IS NOT NULL
ON CONFLICT DO NOTHING;

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

-- A phone number, which one dispatcher at a time sends from and paces.
CREATE TABLE sender (
  organization_id uuid NOT NULL,
  phone_number_id text NOT NULL,
  owner uuid,               -- the dispatcher
  lease_until timestamptz,  -- its lease; for liveness only: what fences is message's key and outgoing's claim
  -- The channel will not take anything from this number until then, and why.
  stopped_until timestamptz,
  stop_code int,
  stop_text text,
  PRIMARY KEY (organization_id, phone_number_id)
) WITH (fillfactor = 50);  -- leases are renewed in place, as no index has them
CREATE INDEX sender_owner ON sender (owner) WHERE owner IS NOT NULL;

-- Single messages and read receipts that the channel has not answered for good yet. A row goes with its answer.
CREATE TABLE outgoing (
  organization_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of a receipt: the message that was read
  kind text NOT NULL CHECK (kind IN ('Message', 'Receipt')),
  phone_number_id text NOT NULL,
  contact_id uuid NOT NULL,
  recipient text NOT NULL,  -- a phone number with its plus, or else the channel's id of a user without one
  -- Sending is committed before the first octet leaves: found so after its dispatcher is gone, it may have been sent.
  state text NOT NULL DEFAULT 'Due' CHECK (state IN ('Due', 'Sending', 'InDoubt')),
  attempt int NOT NULL DEFAULT 0,  -- times that it was sent and refused, the one under way included
  claim uuid,  -- of the transaction that made it Sending: only who made the claim knows that nothing was sent by it
  due_at timestamptz NOT NULL DEFAULT now(),  -- Due: not before. Sending: since when. InDoubt: when it counts as Failed
  expires_at timestamptz NOT NULL,            -- what could not be sent by then has Failed
  created_at timestamptz NOT NULL DEFAULT now(),
  error_code int,   -- of the latest refusal
  error_text text,
  PRIMARY KEY (organization_id, message_id, kind)
);
CREATE INDEX outgoing_due ON outgoing (organization_id, phone_number_id, state, due_at, message_id);
-- What was said to somebody before, and may still be sent: later messages to them wait for it.
CREATE INDEX outgoing_recipient ON outgoing (organization_id, phone_number_id, recipient, created_at, message_id)
  WHERE state <> 'InDoubt';
CREATE INDEX outgoing_unsettled ON outgoing (state, due_at) WHERE state <> 'Due';
CREATE INDEX outgoing_expiry ON outgoing (expires_at) WHERE state = 'Due';

-- A queue is empty when its statistics are taken and long when its plans count: what walks through it is planned in
-- functions, whose settings leave the planner nothing but the indexes.

-- The numbers that have rows in it, in order, beyond one: at most so many. One descent of the index each, however many
-- rows they have.
CREATE FUNCTION outgoing_numbers(after_organization uuid, after_number text, most int)
  RETURNS TABLE (organization_id uuid, phone_number_id text)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
AS $$
BEGIN
  organization_id := after_organization;
  phone_number_id := after_number;
  FOR n IN 1..most LOOP
    SELECT o.organization_id, o.phone_number_id INTO organization_id, phone_number_id
    FROM outgoing o
    WHERE (o.organization_id, o.phone_number_id) > (outgoing_numbers.organization_id, outgoing_numbers.phone_number_id)
    ORDER BY o.organization_id, o.phone_number_id LIMIT 1;
    EXIT WHEN NOT FOUND;
    RETURN NEXT;
  END LOOP;
END $$;

-- The rows of a number that may be sent now, the longest due first, `most` of them: those with nothing before them to
-- the same recipient. Looks at no more than `seen` rows, beyond a place in the queue: its microseconds since 1970 and
-- message.
CREATE FUNCTION outgoing_next(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int, most int)
  RETURNS TABLE (message_id uuid, kind text, attempt int)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT d.message_id, d.kind, d.attempt
  FROM (SELECT o.message_id, o.kind, o.attempt, o.recipient, o.created_at, o.due_at
        FROM outgoing o
        WHERE o.organization_id = of_organization AND o.phone_number_id = of_number AND o.state = 'Due'
          AND o.due_at <= now()
          AND (o.due_at, o.message_id) > ('epoch'::timestamptz + after_due * interval '1 microsecond', after_message)
        ORDER BY o.due_at, o.message_id LIMIT seen) d
  WHERE NOT EXISTS (
    SELECT FROM outgoing e
    WHERE e.organization_id = of_organization AND e.phone_number_id = of_number AND e.recipient = d.recipient
      AND e.state <> 'InDoubt' AND (e.created_at, e.message_id) < (d.created_at, d.message_id))
  LIMIT most;
END $$;

-- Webhooks' bodies, as they came, from before they are answered until they are applied. Their organization is only known
-- by what is in them.
CREATE TABLE inbox (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid,  -- of the URL that it came to; null: the application's own
  received_at timestamptz NOT NULL DEFAULT now(),
  body bytea NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02);

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
  due_at timestamptz      -- when it is tried again by itself; null: not before it is replayed
);
CREATE INDEX parked_element_due ON parked_element (due_at) WHERE due_at IS NOT NULL;

-- Contacts that were merged into others, for as long as something may still be written for them here.
CREATE TABLE merged_contact (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  into_id uuid NOT NULL,
  PRIMARY KEY (organization_id, contact_id)
);

-- A walk over all contacts that are known here, to compare them with what contacts knows: a row while one is under way,
-- with the last contact that was compared. Moved in the transaction that applies what differed, by compare-and-set.
CREATE TABLE contact_walk (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  walk uuid NOT NULL DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  contact_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
