-- name: conversations read(organization_ids uuid[], ids uuid[])
SELECT c.id AS "uniqueId", c.contact_id AS "contactId", c.campaign_id AS "campaignId",
  c.organization_id AS "organizationId", c.initiated_by AS "initiatedBy", c.created_at AS "createdAt", c.status,
  c.unread_messages AS "numberOfUnreadMessages", c.total_messages AS "totalMessages",
  c.assigned_member_id AS "assignedMemberId",
  ARRAY(SELECT t.tag_id FROM conversation_tag t
        WHERE t.organization_id = c.organization_id AND t.conversation_id = c.id ORDER BY t.tag_id) AS "tagIds",
  (SELECT max(w.last_inbound_at) + interval '24 hours' FROM conversation w
   WHERE w.organization_id = c.organization_id AND w.contact_id = c.contact_id) AS "serviceWindowEndsAt"
FROM unnest($1, $2) AS wanted(organization_id, id)
  JOIN conversation c ON c.organization_id = wanted.organization_id AND c.id = wanted.id
WHERE c.status <> 'Deleted'

-- name: messages read(organization_ids uuid[], ids uuid[])
-- A scalar subquery: without statistics a join may read all conversations of the organization for each id.
SELECT m.organization_id, m.id AS "uniqueId", m.conversation_id AS "conversationId", m.direction, m.status,
  m.message_type AS "messageType", m.created_at AS "createdAt", m.reply_to_message_id AS "replyToMessageId",
  m.channel_message_id AS "messagingMessageId", m.data AS "messageData",
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_code END AS "errorCode",
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_text END AS "errorText",
  m.campaign_id AS "campaignId",
  CASE WHEN m.message_type = 'System' THEN 'Channel' WHEN m.direction = 'InBound' THEN 'Contact'
    WHEN m.campaign_id IS NOT NULL THEN 'Campaign' ELSE coalesce(m.sent_by, 'Unknown') END AS sender_type,
  CASE WHEN m.message_type = 'System' THEN NULL WHEN m.direction = 'InBound' THEN m.contact_id
    ELSE coalesce(m.campaign_id, m.sent_by_key, m.sent_by_member) END AS sender_id,
  m.sent_by_member AS sender_member_id
FROM unnest($1, $2) AS wanted(organization_id, id)
  JOIN message m ON m.organization_id = wanted.organization_id AND m.id = wanted.id
WHERE (SELECT c.status FROM conversation c WHERE c.organization_id = m.organization_id AND c.id = m.conversation_id) <> 'Deleted'

-- name: notes read(organization_ids uuid[], ids uuid[])
SELECT n.organization_id, n.id AS "uniqueId", n.conversation_id AS "conversationId", n.text, n.mentions,
  n.created_at AS "createdAt", n.edited_at AS "editedAt", n.written_by_member AS member_id, n.written_by_key AS key_id
FROM unnest($1, $2) AS wanted(organization_id, id)
  JOIN note n ON n.organization_id = wanted.organization_id AND n.id = wanted.id
WHERE (SELECT c.status FROM conversation c WHERE c.organization_id = n.organization_id AND c.id = n.conversation_id) <> 'Deleted'
