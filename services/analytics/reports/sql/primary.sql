-- read(organization_id uuid, starts timestamptz, ends timestamptz, unit text, zone text)
-- Slots as in campaigns.sql. Sums may be negative after a feed has lost events.
/*include slots*/
SELECT date, label, greatest(inbound, 0) AS inbound, greatest(queued, 0) AS queued, greatest(sent, 0) AS sent,
       greatest(undelivered, 0) AS undelivered, greatest(delivered, 0) AS delivered, greatest(read, 0) AS read,
       greatest(failed, 0) AS failed, greatest(opened_by_contact, 0) AS opened_by_contact,
       greatest(opened_by_campaign, 0) AS opened_by_campaign, greatest(opened_by_member, 0) AS opened_by_member,
       greatest(created, 0) AS created, greatest(deleted, 0) AS deleted
FROM ranged
CROSS JOIN LATERAL (
  SELECT sum(inbound) AS inbound, sum(queued) AS queued, sum(sent) AS sent, sum(undelivered) AS undelivered,
         sum(delivered) AS delivered, sum(read) AS read, sum(failed) AS failed,
         sum(opened_by_contact) AS opened_by_contact, sum(opened_by_campaign) AS opened_by_campaign,
         sum(opened_by_member) AS opened_by_member
  FROM message_rollup
  WHERE organization_id = $1 AND bucket >= starts AND bucket < ends
) messages
CROSS JOIN LATERAL (
  SELECT sum(created) AS created, sum(deleted) AS deleted
  FROM contact_rollup
  WHERE organization_id = $1 AND bucket >= starts AND bucket < ends
) contacts
ORDER BY date
