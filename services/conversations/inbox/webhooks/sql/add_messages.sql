-- write(organization_id uuid, ids uuid[], conversation_ids uuid[], opened int4[], contact_ids uuid[], reply_to uuid[],
--   directions text[], statuses text[], types text[], channel_ids text[], data text[], moments timestamptz[], untold bool[],
--   new_conversation_ids uuid[], writers uuid[], inbound_at timestamptz[], firsts int4[], initiators text[])
-- Locks the one Active conversation of each writer, creating it if missing, in the order of writers, which are given in
-- that order; returns them. A new one is inserted with its first message counted: firsts[i] of the messages. A message without a conversation's id belongs to that of writers[opened[i]].
-- One that is here (find_untold.sql) is told now, as if it had just come; what its sender made of it since stays.
WITH active AS (
  INSERT INTO conversation (organization_id, id, contact_id, initiated_by, last_inbound_at, first_message_id,
    total_messages, unread_messages, last_message_at, has_inbound, answered_at)
  SELECT $1, n.id, n.contact_id, n.initiator, n.at, $2[n.first], 1, ($8[n.first] = 'Unread')::int, $12[n.first],
    n.at IS NOT NULL, CASE $7[n.first] WHEN 'OutBound' THEN $12[n.first] END
  FROM unnest($14, $15, $16, $17, $18) AS n (id, contact_id, at, first, initiator)
  ORDER BY n.contact_id
  ON CONFLICT (organization_id, contact_id) WHERE status = 'Active'
  DO UPDATE SET last_inbound_at = greatest(conversation.last_inbound_at, excluded.last_inbound_at)
  RETURNING contact_id, id
), added AS (
  INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status,
    message_type, channel_message_id, data, created_at, untold, sent_by)
  SELECT $1, n.id, coalesce(n.conversation_id, a.ids[n.opened]), n.contact_id, n.reply_to, n.direction, n.status, n.type,
    n.channel_id, n.data::jsonb, n.at, n.untold, CASE n.direction WHEN 'OutBound' THEN 'App' END
  FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      AS n (id, conversation_id, opened, contact_id, reply_to, direction, status, type, channel_id, data, at, untold)
    CROSS JOIN (SELECT array_agg(id ORDER BY contact_id) AS ids FROM active) a
  ON CONFLICT (organization_id, id) DO UPDATE
  SET conversation_id = excluded.conversation_id, status = excluded.status, created_at = excluded.created_at,
      untold = false, reply_to_message_id = coalesce(excluded.reply_to_message_id, message.reply_to_message_id),
      message_type = CASE WHEN message.data ?| '{revoked, editedAt}' THEN message.message_type ELSE excluded.message_type END,
      data = CASE WHEN message.data ?| '{revoked, editedAt}' THEN message.data ELSE excluded.data END
)
SELECT contact_id, id FROM active
