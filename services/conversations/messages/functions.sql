-- Version 1 of messages

-- An outbound message's status only rises in this order. Failed was never accepted; UnDelivered was, and may be
-- followed by Delivered, as several devices report. Statuses come late, repeatedly and in any order.
CREATE OR REPLACE FUNCTION status_rank(text) RETURNS int
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT array_position(ARRAY['Queued', 'Failed', 'Sent', 'UnDelivered', 'Delivered', 'Read'], $1) $$;

-- The key under which channel_message has a channel's message id.
CREATE OR REPLACE FUNCTION channel_key(channel_message_id text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT md5($1)::uuid $$;
