-- Not in a transaction
-- Fills what 0035 has added, and makes the filters of an inbox find a page at once: all kinds of conversations, in its order,
-- and the few that are awaiting an answer.
CALL fill_conversations();
DROP INDEX CONCURRENTLY IF EXISTS conversation_kind;
CREATE INDEX CONCURRENTLY conversation_kind ON conversation
  (organization_id, status, initiated_by, has_inbound, (coalesce(last_message_at, created_at)), id);
DROP INDEX CONCURRENTLY IF EXISTS conversation_awaiting;
CREATE INDEX CONCURRENTLY conversation_awaiting ON conversation
  (organization_id, (coalesce(last_message_at, created_at)), id)
  WHERE status = 'Active' AND last_inbound_at > coalesce(answered_at, '-infinity');
