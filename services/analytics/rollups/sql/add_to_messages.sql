-- write(organization_ids uuid[], buckets timestamptz[],
--       inbound int8[], queued int8[], sent int8[], undelivered int8[], delivered int8[], read int8[], failed int8[],
--       opened_by_contact int8[], opened_by_campaign int8[], opened_by_member int8[])
INSERT INTO message_rollup AS r (organization_id, bucket, inbound, queued, sent, undelivered, delivered, read, failed,
                                 opened_by_contact, opened_by_campaign, opened_by_member)
SELECT n.* FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS n(organization_id)
WHERE NOT EXISTS (SELECT FROM removal d WHERE d.organization_id = n.organization_id AND d.kind = 'organization')
ON CONFLICT (organization_id, bucket) DO UPDATE SET
  inbound = r.inbound + excluded.inbound,
  queued = r.queued + excluded.queued,
  sent = r.sent + excluded.sent,
  undelivered = r.undelivered + excluded.undelivered,
  delivered = r.delivered + excluded.delivered,
  read = r.read + excluded.read,
  failed = r.failed + excluded.failed,
  opened_by_contact = r.opened_by_contact + excluded.opened_by_contact,
  opened_by_campaign = r.opened_by_campaign + excluded.opened_by_campaign,
  opened_by_member = r.opened_by_member + excluded.opened_by_member
