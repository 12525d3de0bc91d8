-- Not in a transaction
-- The order of creation of each status.
DROP INDEX CONCURRENTLY IF EXISTS conversation_created;
CREATE INDEX CONCURRENTLY conversation_created ON conversation (organization_id, status, id);
