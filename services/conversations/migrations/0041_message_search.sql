-- Not in a transaction
-- Search for words of messages. Campaigns' messages are left out: they are most of all messages, and repeat one text.
DROP INDEX CONCURRENTLY IF EXISTS message_words;
CREATE INDEX CONCURRENTLY message_words ON message
  USING gin (words_of_organization(organization_id, folded_words(message_said(message_type, data))))
  WHERE campaign_id IS NULL AND message_type IN ('Text', 'Image', 'Video', 'Document', 'Location', 'Contacts', 'Interactive', 'Template');
-- The same messages in order, for words that most of them have.
DROP INDEX CONCURRENTLY IF EXISTS message_said;
CREATE INDEX CONCURRENTLY message_said ON message (organization_id, created_at, id)
  WHERE campaign_id IS NULL AND message_type IN ('Text', 'Image', 'Video', 'Document', 'Location', 'Contacts', 'Interactive', 'Template');
