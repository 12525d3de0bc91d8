-- write(organization_id uuid, ids uuid[], conversation_ids uuid[], contact_ids uuid[], reply_to uuid[], statuses text[], types text[], channel_ids text[], data text[], moments timestamptz[], untold bool[])
INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status, message_type,
  channel_message_id, data, created_at, untold)
SELECT $1, n.id, n.conversation_id, n.contact_id, n.reply_to, 'InBound', n.status, n.type, n.channel_id, n.data::jsonb, n.at, n.untold
FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  AS n (id, conversation_id, contact_id, reply_to, status, type, channel_id, data, at, untold)
