-- Who sent an outbound message that is no campaign's: those of campaigns and contacts follow from campaign_id and direction.
-- NULL: it was stored before this column, or by the release before. Text without a Member's or ApiKey's ids has none.
ALTER TABLE message
  ADD COLUMN sent_by text,
  ADD COLUMN sent_by_member uuid,  -- the member, or the one that the key stands for
  ADD COLUMN sent_by_key uuid;
-- Not valid: nobody reads all messages for it.
ALTER TABLE message ADD CONSTRAINT message_sent_by
  CHECK (sent_by IN ('Member', 'ApiKey', 'App', 'Automatic')) NOT VALID;
