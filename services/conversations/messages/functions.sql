-- Version 5 of messages

-- An outbound message's status only rises in this order. Failed was never accepted; UnDelivered was, and may be
-- followed by Delivered, as several devices report. Statuses come late, repeatedly and in any order.
CREATE OR REPLACE FUNCTION status_rank(text) RETURNS int
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT array_position(ARRAY['Queued', 'Failed', 'Sent', 'UnDelivered', 'Delivered', 'Read'], $1) $$;

-- The key under which channel_message has a channel's message id.
CREATE OR REPLACE FUNCTION channel_key(channel_message_id text) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT md5($1)::uuid $$;

-- Replaced by note_messages(), and by note_message() of migrations/0035_senders_and_tallies.sql.
DROP FUNCTION IF EXISTS count_messages(), recount_message();

-- One update per conversation for a batch of messages, in the order of keys (the settings leave the planner no other
-- way), so that two batches do not deadlock. The message that a conversation was inserted with is counted already.
-- Planned once a session: planning would take as long as counting hundreds.
--
-- The channel's times have whole seconds, ours more: what a contact writes within the second of an answer, and is stored
-- after it, is behind it.
CREATE OR REPLACE FUNCTION note_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  UPDATE conversation c
  SET total_messages = c.total_messages + sign * m.total,
      unread_messages = c.unread_messages + sign * m.unread,
      last_message_at = CASE sign WHEN 1 THEN greatest(c.last_message_at, m.latest) ELSE c.last_message_at END,
      has_inbound = c.has_inbound OR (sign = 1 AND m.has_inbound),
      answered_at = CASE
        WHEN sign = -1 THEN c.answered_at
        WHEN m.answered_at IS NULL AND m.inbound_at BETWEEN date_trunc('second', c.answered_at) AND c.answered_at
          THEN m.inbound_at - interval '1 microsecond'
        ELSE greatest(c.answered_at, m.answered_at) END,
      first_message_id = NULL
  FROM (SELECT organization_id, conversation_id, count(*) AS total, count(*) FILTER (WHERE status = 'Unread') AS unread,
               max(created_at) AS latest, bool_or(direction = 'InBound' AND message_type <> 'System') AS has_inbound,
               max(created_at) FILTER (WHERE direction = 'InBound' AND message_type <> 'System' AND NOT untold) AS inbound_at,
               max(created_at) FILTER (WHERE direction = 'OutBound' AND campaign_id IS NULL AND message_type <> 'System')
                 AS answered_at
        FROM changed n
        WHERE sign = -1 OR n.id IS DISTINCT FROM (
          SELECT f.first_message_id FROM conversation f
          WHERE f.organization_id = n.organization_id AND f.id = n.conversation_id)
        GROUP BY organization_id, conversation_id ORDER BY organization_id, conversation_id) m
  WHERE c.organization_id = m.organization_id AND c.id = m.conversation_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION uncount_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  UPDATE conversation SET total_messages = 0, unread_messages = 0, first_message_id = NULL WHERE total_messages > 0;
  RETURN NULL;
END $$;

-- Messages with these words, each of which has its organization before it: `most` of them, in no order. The settings leave the
-- planner nothing but the index of words: the text of any other message takes longer to look at than the row itself.
CREATE OR REPLACE FUNCTION messages_with(words tsquery, most int) RETURNS SETOF message
  LANGUAGE sql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_indexscan = off
AS $$
  SELECT m.*
  FROM message m
  WHERE words_of_organization(m.organization_id, folded_words(message_said(m.message_type, m.data))) @@ words
    AND m.campaign_id IS NULL
    AND m.message_type IN ('Text', 'Image', 'Video', 'Document', 'Location', 'Contacts', 'Interactive', 'Template')
  LIMIT most
$$;
