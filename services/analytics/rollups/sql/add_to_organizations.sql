-- write(organization_ids uuid[], buckets timestamptz[],
--       recipients int8[], sent int8[], delivered int8[], read int8[], failed int8[], undelivered int8[],
--       replied int8[], engaged int8[], replies int8[], conversations int8[], replies_at int8[], clicks_at int8[])
INSERT INTO organization_rollup AS r (organization_id, bucket, recipients, sent, delivered, read, failed,
                                      undelivered, replied, engaged, replies, conversations, replies_at, clicks_at)
SELECT n.* FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS n(organization_id)
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = n.organization_id AND d.kind = 'organization')
ON CONFLICT (organization_id, bucket) DO UPDATE SET
  recipients = r.recipients + excluded.recipients,
  sent = r.sent + excluded.sent,
  delivered = r.delivered + excluded.delivered,
  read = r.read + excluded.read,
  failed = r.failed + excluded.failed,
  undelivered = r.undelivered + excluded.undelivered,
  replied = r.replied + excluded.replied,
  engaged = r.engaged + excluded.engaged,
  replies = r.replies + excluded.replies,
  conversations = r.conversations + excluded.conversations,
  replies_at = r.replies_at + excluded.replies_at,
  clicks_at = r.clicks_at + excluded.clicks_at
