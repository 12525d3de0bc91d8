-- Version 1

-- What an outbound message's status can only rise to. Failed was never accepted; UnDelivered was, and may still be
-- followed by a Delivered: several devices report. Statuses come late, twice and in any order.
CREATE OR REPLACE FUNCTION status_rank(text) RETURNS int
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT array_position(ARRAY['Queued', 'Failed', 'Sent', 'UnDelivered', 'Delivered', 'Read'], $1) $$;

-- The demonstration's and whatever else was there before.
CREATE OR REPLACE FUNCTION channel_key(channel_message_id text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT md5($1)::uuid $$;
