-- Not in a transaction
-- Indexes of what is rare among messages and recipients: a walk in order would pass over all others.
UPDATE message SET failed = true WHERE status IN ('Failed', 'UnDelivered') AND NOT failed;
DROP INDEX CONCURRENTLY IF EXISTS message_failed;
CREATE INDEX CONCURRENTLY message_failed ON message (organization_id, created_at, id) WHERE failed;
DROP INDEX CONCURRENTLY IF EXISTS message_campaign_failed;
CREATE INDEX CONCURRENTLY message_campaign_failed ON message (organization_id, campaign_id, created_at, id)
  INCLUDE (error_code) WHERE failed AND campaign_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS message_rare_type;
CREATE INDEX CONCURRENTLY message_rare_type ON message (organization_id, message_type, created_at, id)
  WHERE message_type NOT IN ('Text', 'Template');
DROP INDEX CONCURRENTLY IF EXISTS target_skipped;
CREATE INDEX CONCURRENTLY target_skipped ON target (organization_id, campaign_id, ordinal) WHERE skipped IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS target_skipped_reason;
CREATE INDEX CONCURRENTLY target_skipped_reason ON target (organization_id, campaign_id, skipped, ordinal)
  WHERE skipped IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS target_variant;
CREATE INDEX CONCURRENTLY target_variant ON target (organization_id, campaign_id, variant, ordinal) WHERE variant > 0;
-- Finds the recipients of a few messages.
DROP INDEX CONCURRENTLY IF EXISTS target_message;
CREATE INDEX CONCURRENTLY target_message ON target (organization_id, message_id);
