-- Pages of conversations and of messages.

-- Conversations in the order of what last happened in them. A message so makes new entries in all indexes of its
-- conversation, instead of changing it in place; in return an inbox of any size opens as fast as a small one. The status
-- stands before the order: a page of several statuses is merged from a walk of each.
CREATE INDEX conversation_recent ON conversation
  (organization_id, status, (coalesce(last_message_at, created_at)), id);
-- What few of many are: walking all of them would take too long.
CREATE INDEX conversation_unread ON conversation
  (organization_id, status, (coalesce(last_message_at, created_at)), id) WHERE unread_messages > 0;
CREATE INDEX conversation_member ON conversation
  (organization_id, assigned_member_id, status, (coalesce(last_message_at, created_at)), id)
  WHERE assigned_member_id IS NOT NULL;
CREATE INDEX conversation_campaign ON conversation
  (organization_id, campaign_id, status, (coalesce(last_message_at, created_at)), id) WHERE campaign_id IS NOT NULL;

-- No index on a message has its status, not even as a condition: each of the three or four statuses that a message gets
-- then changes it in place.
CREATE INDEX message_recent ON message (organization_id, created_at, id);
CREATE INDEX message_campaign ON message (organization_id, campaign_id, created_at, id) WHERE campaign_id IS NOT NULL;
