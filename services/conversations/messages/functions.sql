-- Version 3 of messages

-- An outbound message's status only rises in this order. Failed was never accepted; UnDelivered was, and may be
-- followed by Delivered, as several devices report. Statuses come late, repeatedly and in any order.
CREATE OR REPLACE FUNCTION status_rank(text) RETURNS int
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT array_position(ARRAY['Queued', 'Failed', 'Sent', 'UnDelivered', 'Delivered', 'Read'], $1) $$;

-- The key under which channel_message has a channel's message id.
CREATE OR REPLACE FUNCTION channel_key(channel_message_id text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT md5($1)::uuid $$;

-- Replaced by note_messages() and note_message() of migrations/0034_senders_and_tallies.sql.
DROP FUNCTION IF EXISTS count_messages(), recount_message();

CREATE OR REPLACE FUNCTION uncount_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE conversation SET total_messages = 0, unread_messages = 0, first_message_id = NULL WHERE total_messages > 0;
  RETURN NULL;
END $$;
