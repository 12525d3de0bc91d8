-- What the opponents ask PostgreSQL for a contact or a page of contacts: every list, tag and number from its table. The
-- services keep the texts of lists and tags (services/contacts/contacts/catalogue.hpp), which these do not.

-- name: find(organization_id uuid, id uuid)
SELECT id AS "uniqueId", name, coalesce(phone, '') AS phone, attributes, created_at AS "createdAt", status
FROM contact
WHERE organization_id = $1 AND id = $2

-- name: lists_of(organization_id uuid, id uuid)
SELECT l.id AS "uniqueId", l.name, l.description,
  coalesce((SELECT sum(y.contacts) FROM tally y WHERE y.organization_id = $1 AND y.list_id = l.id), 0)::int8
    AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", lt.tag_id,
  (SELECT t.label FROM tag t WHERE t.organization_id = $1 AND t.id = lt.tag_id) AS tag_label
FROM membership m
  JOIN list l ON l.organization_id = $1 AND l.id = m.list_id
  LEFT JOIN list_tag lt ON lt.organization_id = $1 AND lt.list_id = l.id
WHERE m.organization_id = $1 AND m.contact_id = $2
ORDER BY l.id, lt.tag_id

-- name: tags_of(organization_id uuid, id uuid)
SELECT t.label, t.id AS "uniqueId"
FROM contact_tag x JOIN tag t ON t.organization_id = $1 AND t.id = x.tag_id
WHERE x.organization_id = $1 AND x.contact_id = $2
ORDER BY x.tag_id

-- name: page(organization_id uuid, per_page int8, skip int8)
SELECT c.id AS "uniqueId", c.name, coalesce(c.phone, '') AS phone, c.attributes, c.created_at AS "createdAt", c.status,
  ARRAY(SELECT x.list_id FROM membership x
        WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.list_id) AS list_ids,
  ARRAY(SELECT x.tag_id FROM contact_tag x
        WHERE x.organization_id = $1 AND x.contact_id = c.id ORDER BY x.tag_id) AS tag_ids
FROM (SELECT * FROM (SELECT * FROM contact WHERE organization_id = $1 ORDER BY id DESC LIMIT 100 OFFSET $3) c LIMIT $2) c

-- name: page_lists(organization_id uuid, per_page int8, skip int8)
SELECT l.id AS "uniqueId", l.name, l.description, coalesce(y.contacts, 0) AS "numberOfContacts",
  l.campaigns_sent AS "numberOfCampaignsSent", l.created_at AS "createdAt", t.id AS tag_id, t.label AS tag_label
FROM (SELECT DISTINCT x.list_id
      FROM membership x
      WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
        SELECT id FROM (SELECT id FROM contact WHERE organization_id = $1
                        ORDER BY id DESC LIMIT 100 OFFSET $3) page LIMIT $2))) seen
  JOIN list l ON l.organization_id = $1 AND l.id = seen.list_id
  CROSS JOIN LATERAL (
    SELECT sum(y.contacts)::int8 AS contacts FROM tally y WHERE y.organization_id = $1 AND y.list_id = l.id) y
  LEFT JOIN (list_tag lt JOIN tag t ON t.organization_id = $1 AND t.id = lt.tag_id)
    ON lt.organization_id = $1 AND lt.list_id = l.id
ORDER BY l.id, t.id

-- name: page_tags(organization_id uuid, per_page int8, skip int8)
SELECT t.label, t.id AS "uniqueId"
FROM tag t
WHERE t.organization_id = $1
  AND t.id IN (SELECT x.tag_id
               FROM contact_tag x
               WHERE x.organization_id = $1 AND x.contact_id = ANY (ARRAY(
                 SELECT id FROM (SELECT id FROM contact WHERE organization_id = $1
                                 ORDER BY id DESC LIMIT 100 OFFSET $3) page LIMIT $2)))

-- name: total(organization_id uuid)
SELECT coalesce(sum(contacts), 0)::int8 AS contacts
FROM tally
WHERE organization_id = $1 AND list_id = '00000000-0000-0000-0000-000000000000'

-- name: of_contact(organization_id uuid, id uuid)
SELECT c.contact_id, c.id, c.campaign_id, c.initiated_by, c.created_at, c.status, m.id AS message_id, m.direction,
  m.status AS message_status, m.message_type, m.created_at AS message_created_at, m.reply_to_message_id,
  m.channel_message_id, m.data,
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_code END AS error_code,
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_text END AS error_text,
  m.campaign_id AS message_campaign_id, CASE WHEN m.message_type = 'System' THEN 'Channel' WHEN m.direction = 'InBound' THEN 'Contact'
    WHEN m.campaign_id IS NOT NULL THEN 'Campaign' ELSE coalesce(m.sent_by, 'Unknown') END AS sender_type,
  CASE WHEN m.message_type = 'System' THEN NULL WHEN m.direction = 'InBound' THEN m.contact_id
    ELSE coalesce(m.campaign_id, m.sent_by_key, m.sent_by_member) END AS sender_id,
  m.sent_by_member AS sender_member_id
FROM (SELECT * FROM conversation
      WHERE organization_id = $1 AND contact_id = $2 AND status <> 'Deleted'
      ORDER BY id DESC LIMIT 20) c
  LEFT JOIN LATERAL (SELECT * FROM message
                     WHERE organization_id = $1 AND conversation_id = c.id
                     ORDER BY created_at DESC, id DESC LIMIT 20) m ON true
ORDER BY c.id DESC, m.created_at DESC, m.id DESC

-- name: of_contacts(organization_id uuid, ids uuid[])
SELECT c.contact_id, c.id, c.campaign_id, c.initiated_by, c.created_at, c.status, m.id AS message_id, m.direction,
  m.status AS message_status, m.message_type, m.created_at AS message_created_at, m.reply_to_message_id,
  m.channel_message_id, m.data,
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_code END AS error_code,
  CASE WHEN m.status IN ('Failed', 'UnDelivered') THEN m.error_text END AS error_text,
  m.campaign_id AS message_campaign_id, CASE WHEN m.message_type = 'System' THEN 'Channel' WHEN m.direction = 'InBound' THEN 'Contact'
    WHEN m.campaign_id IS NOT NULL THEN 'Campaign' ELSE coalesce(m.sent_by, 'Unknown') END AS sender_type,
  CASE WHEN m.message_type = 'System' THEN NULL WHEN m.direction = 'InBound' THEN m.contact_id
    ELSE coalesce(m.campaign_id, m.sent_by_key, m.sent_by_member) END AS sender_id,
  m.sent_by_member AS sender_member_id
FROM (SELECT *, row_number() OVER (PARTITION BY contact_id ORDER BY id DESC) AS ordinal
      FROM conversation
      WHERE organization_id = $1 AND contact_id = ANY (ARRAY(SELECT unnest($2))) AND status <> 'Deleted') c
  LEFT JOIN LATERAL (SELECT * FROM message
                     WHERE organization_id = $1 AND conversation_id = c.id
                     ORDER BY created_at DESC, id DESC LIMIT 1) m ON true
WHERE c.ordinal <= 20
ORDER BY c.contact_id, c.id DESC
