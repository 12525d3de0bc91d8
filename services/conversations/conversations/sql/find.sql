-- read(organization_id uuid, id uuid)
SELECT id AS "uniqueId", contact_id AS "contactId", campaign_id AS "campaignId", organization_id AS "organizationId",
  initiated_by AS "initiatedBy", created_at AS "createdAt", status, unread_messages AS "numberOfUnreadMessages",
  total_messages AS "totalMessages", assigned_member_id,
  ARRAY(SELECT t.tag_id FROM conversation_tag t WHERE t.organization_id = $1 AND t.conversation_id = $2 ORDER BY t.tag_id) AS tag_ids,
  tombstone
FROM conversation
WHERE organization_id = $1 AND id = $2
