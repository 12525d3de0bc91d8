-- write(organization_id uuid, phone_number_id text, owner uuid, claim uuid, message_ids uuid[], kinds text[], dues int8[])
-- Makes rows Sending, in the order given, if they are unchanged since the look, their campaign is Running and this
-- dispatcher owns the number; returns all that is sent. Each claim, put-back and give-up changes due_at, so that a late
-- claim does not match the row.
SELECT o.message_id, o.kind, o.attempt, o.contact_id, o.recipient, o.campaign_id, m.message_type, m.data,
  m.channel_message_id, coalesce(c.tombstone, true) AS gone,
  o.campaign_id IS NOT NULL AND EXISTS (
    SELECT FROM suppression s
    WHERE s.organization_id = $1 AND s.contact_id = o.contact_id AND (s.opted_out OR s.blocked)) AS suppressed,
  o.campaign_id IS NOT NULL AND is_sent_under_other_name($1, o.campaign_id, o.contact_id, o.message_id) AS duplicate,
  r.channel_message_id AS reply_to, t.channel_message_id AS reaction_to
FROM outgoing_claim($1, $2, $3, $4, $5, $6, $7) o
LEFT JOIN message m ON m.organization_id = $1 AND m.id = o.message_id
LEFT JOIN conversation c ON c.organization_id = $1 AND c.id = m.conversation_id
LEFT JOIN message r ON r.organization_id = $1 AND r.id = m.reply_to_message_id
LEFT JOIN message t ON t.organization_id = $1
  AND t.id = CASE WHEN m.message_type = 'Reaction'
                   AND m.data ->> 'messageId' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
             THEN (m.data ->> 'messageId')::uuid END
ORDER BY o.place
