-- Three campaigns of the last month, what came of their messages, and conversations that contacts and members began. What
-- analytics has to know of it goes into the outbox, in the same transaction, as the service does it.
-- psql variables: organization_id; contacts [{id, name, phone, status, created_at}], lists [{id, name}], members
-- [{id, access_level}] and tags [{id, label}] as JSON: they are other services'.
SELECT EXISTS (SELECT FROM campaign WHERE organization_id = :'organization_id' AND name = 'Spring sale') AS there \gset
\if :there
  \q
\endif
\ir functions.sql

INSERT INTO campaign (organization_id, id, name, description, status, message, list_ids, tag_ids, told_tags, created_at,
                      updated_at, started_at, finished_at, audience_done)
SELECT :'organization_id', demo_id(made, 'campaign ' || c.name), c.name, description, 'Finished',
       jsonb_build_object('type', 'Template', 'template', jsonb_build_object(
         'name', lower(replace(c.name, ' ', '_')), 'language', 'en',
         'parameters', jsonb_build_object('1', '{{name|there}}', '2', 'https://shop.example/' || page))),
       ARRAY(SELECT id FROM jsonb_to_recordset(:'lists'::jsonb) l (id uuid, name text) WHERE l.name = ANY (lists) ORDER BY id),
       ARRAY[t.id], ARRAY[t.id::text, t.label], made, made, began, began + interval '2 hours', true
FROM (SELECT *, now() - age AS made, date_trunc('hour', now() - age + interval '30 hours') AS began FROM (VALUES
  ('Spring sale', 'A fifth off everything', 'spring', 'newsletter', '{Newsletter,Customers}'::text[], interval '27 days'),
  ('Product news', 'What is new', 'news', 'newsletter', '{Newsletter,Trial users}', interval '14 days'),
  ('Invitation to Lyon', 'The spring event', 'lyon', 'vip', '{VIP,Événement à Lyon}', interval '4 days')
) c (name, description, page, tag, lists, age)) c
JOIN jsonb_to_recordset(:'tags'::jsonb) t (id uuid, label text) ON t.label = c.tag;

INSERT INTO campaign_url (organization_id, campaign_id, url, secret)
SELECT organization_id, id, message #>> '{template,parameters,2}', decode(md5(id::text), 'hex')
FROM campaign WHERE organization_id = :'organization_id' ORDER BY created_at;

-- Who got what, when, and what became of it. A conversation that was closed is not written to again: the next message opens
-- another one.
CREATE TABLE demo_target AS
WITH campaigns AS (
  SELECT id AS campaign_id, name, row_number() OVER (ORDER BY created_at) AS k,
         started_at AS began,
         (ARRAY[0.62, 0.5, 0.38])[row_number() OVER (ORDER BY created_at)] AS share
  FROM campaign WHERE organization_id = :'organization_id'
), contacts AS (
  SELECT id AS contact_id, name AS contact_name, phone, created_at
  FROM jsonb_to_recordset(:'contacts'::jsonb) c (id uuid, name text, phone text, status text, created_at timestamptz)
  WHERE status = 'Active'
), sent AS (
  SELECT k, campaign_id, name, contact_id, contact_name, phone, began + demo_chance(contact_id || 'when' || k) * interval '110 minutes' AS sent_at,
         demo_chance(contact_id || 'fate' || k) AS fate
  FROM campaigns, contacts
  WHERE demo_chance(contact_id || 'target' || k) < share AND created_at < began
), fates AS (
  SELECT *, CASE WHEN fate < 0.03 THEN 'Failed' WHEN fate < 0.07 THEN 'UnDelivered' WHEN fate < 0.12 THEN 'Sent'
                 WHEN fate < 0.4 THEN 'Delivered' ELSE 'Read' END AS status,
         demo_chance(contact_id || 'closes') < 0.25 AS closes,
         row_number() OVER (PARTITION BY contact_id ORDER BY sent_at) AS nth
  FROM sent
), generations AS (SELECT *, CASE WHEN nth > 1 AND closes THEN 2 ELSE 1 END AS generation FROM fates),
openings AS (
  SELECT *, min(sent_at) OVER (PARTITION BY contact_id, generation) = sent_at AS opens,
         min(sent_at) OVER (PARTITION BY contact_id, generation) AS opened_at,
         bool_or(generation = 2) OVER (PARTITION BY contact_id) AND generation = 1 AS closed
  FROM generations
)
SELECT k, campaign_id, name, contact_id, contact_name, phone, sent_at, status, opens, opened_at, closed,
       row_number() OVER (PARTITION BY campaign_id ORDER BY sent_at, contact_id) AS ordinal,
       demo_id(opened_at, 'conversation ' || contact_id || generation) AS conversation_id,
       demo_id(sent_at, 'message ' || contact_id || k) AS message_id
FROM openings;

CREATE TABLE demo_reply AS
SELECT t.*, n, at, n = 1 AS first
FROM demo_target t, LATERAL (
  SELECT n, sent_at + n * interval '7 minutes' + demo_chance(message_id || 'reply' || n) ^ 3 * n * interval '30 hours' AS at
  FROM generate_series(1, CASE WHEN demo_chance(message_id || 'again') < 0.25 THEN 2 ELSE 1 END) n) r
WHERE status = 'Read' AND demo_chance(message_id || 'replied') < 0.32 AND at < now() AND (n = 1 OR
  sent_at + interval '7 minutes' + demo_chance(message_id || 'reply1') ^ 3 * interval '30 hours' < at);

INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters)
SELECT :'organization_id', campaign_id, ordinal, contact_id, phone, message_id, ARRAY[contact_name] FROM demo_target;

-- Conversations that campaigns opened, and those that contacts (and now and then a member) began.
INSERT INTO conversation (organization_id, id, contact_id, campaign_id, initiated_by, status, assigned_member_id, created_at)
SELECT :'organization_id', conversation_id, contact_id, campaign_id, 'Campaign',
       CASE WHEN closed THEN 'Closed' ELSE 'Active' END, NULL, opened_at
FROM demo_target WHERE opens;

CREATE TABLE demo_talk AS
SELECT c.id AS contact_id, demo_chance(c.id || 'by') < 0.15 AS by_member, began,
       demo_id(began, 'talk ' || c.id) AS conversation_id, 2 + floor(demo_chance(c.id || 'length') * 6)::int AS length
FROM jsonb_to_recordset(:'contacts'::jsonb) c (id uuid, name text, status text, created_at timestamptz),
     LATERAL (SELECT now() - demo_chance(c.id || 'began') * least(interval '28 days', now() - c.created_at) * 0.95 - interval '1 hour' AS began) b
WHERE c.status <> 'Blocked' AND NOT EXISTS (SELECT FROM demo_target t WHERE t.contact_id = c.id);

INSERT INTO conversation (organization_id, id, contact_id, initiated_by, status, created_at)
SELECT :'organization_id', conversation_id, contact_id, CASE WHEN by_member THEN 'Member' ELSE 'Contact' END,
       CASE WHEN demo_chance(contact_id || 'over') < 0.3 THEN 'Closed' ELSE 'Active' END, began
FROM demo_talk;

WITH members AS (
  SELECT array_agg(id ORDER BY id) AS ids FROM jsonb_to_recordset(:'members'::jsonb) m (id uuid)
)
UPDATE conversation c SET assigned_member_id = ids[1 + floor(demo_chance(c.id || 'who') * cardinality(ids))::int]
FROM members WHERE organization_id = :'organization_id' AND demo_chance(c.id || 'assigned') < 0.4;

INSERT INTO conversation_tag (organization_id, conversation_id, tag_id)
SELECT c.organization_id, c.id, t.id
FROM conversation c, jsonb_to_recordset(:'tags'::jsonb) t (id uuid, label text)
WHERE c.organization_id = :'organization_id' AND demo_chance(c.id || t.label) < 0.06;

-- The campaigns' messages.
INSERT INTO message (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, message_type,
                     channel_message_id, data, error_code, error_text, created_at)
SELECT :'organization_id', message_id, conversation_id, contact_id, campaign_id, 'OutBound', status, 'Template',
       CASE WHEN status <> 'Failed' THEN 'wamid.demo' || md5(message_id::text) END,
       jsonb_build_object('template', lower(replace(name, ' ', '_')), 'language', 'en', 'variables', jsonb_build_array(contact_name)),
       CASE status WHEN 'Failed' THEN 131026 WHEN 'UnDelivered' THEN 131049 END,
       CASE status WHEN 'Failed' THEN 'Message undeliverable' WHEN 'UnDelivered' THEN 'Not delivered to maintain healthy ecosystem engagement' END,
       sent_at
FROM demo_target ORDER BY sent_at;

-- The member who writes to a contact.
CREATE TABLE demo_members AS SELECT array_agg(id ORDER BY id) AS ids FROM jsonb_to_recordset(:'members'::jsonb) m (id uuid);
CREATE FUNCTION demo_member(seed text) RETURNS uuid LANGUAGE sql STABLE AS
  $$ SELECT ids[1 + floor(demo_chance(seed || 'who') * cardinality(ids))::int] FROM demo_members $$;

-- Replies to them, the latest of which nobody has read yet, and answers to some.
INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status, message_type,
                     channel_message_id, data, created_at)
SELECT :'organization_id', demo_id(at, 'reply ' || message_id || n), conversation_id, contact_id, message_id, 'InBound',
       CASE WHEN at > now() - interval '5 days' AND demo_chance(message_id || 'unread') < 0.7 THEN 'Unread' ELSE 'Read' END,
       'Text', 'wamid.demo' || md5('reply' || message_id || n),
       jsonb_build_object('text', demo_pick(concat(message_id, n), '{Yes please!,How much is it?,Merci beaucoup 🙏,Nein danke.,¿Hasta cuándo?,ありがとうございます,Дякую!,هل يوجد توصيل؟,Tell me more,👍}')),
       at
FROM demo_reply ORDER BY at;

INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status, message_type,
                     channel_message_id, data, created_at, sent_by, sent_by_member)
SELECT :'organization_id', demo_id(answered, 'answer ' || message_id), conversation_id, contact_id,
       demo_id(at, 'reply ' || message_id || n), 'OutBound', demo_pick(message_id || 'seen', '{Sent,Delivered,Read,Read}'), 'Text',
       'wamid.demo' || md5('answer' || message_id),
       jsonb_build_object('text', demo_pick(message_id || 'answer', '{Gladly: here is the link.,Of course. Anything else?,Ja gerne!,You are on the list now.,Thank you!}')), answered,
       'Member', demo_member(message_id::text)
FROM (SELECT *, at + interval '20 minutes' + demo_chance(message_id || 'later') * interval '3 hours' AS answered FROM demo_reply) r
WHERE first AND answered < now() AND demo_chance(message_id || 'answered') < 0.6;

-- The other conversations' messages, in turns.
INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, channel_message_id, data,
                     created_at, sent_by, sent_by_member)
SELECT :'organization_id', demo_id(at, 'talk ' || t.contact_id || n), conversation_id, contact_id,
       CASE WHEN inbound THEN 'InBound' ELSE 'OutBound' END,
       CASE WHEN inbound AND n = length AND demo_chance(t.contact_id || 'unread') < 0.6 THEN 'Unread' WHEN inbound THEN 'Read'
            ELSE demo_pick(concat(t.contact_id, n), '{Sent,Delivered,Delivered,Read,Read,Read,UnDelivered}') END,
       message_type, 'wamid.demo' || md5('talk' || t.contact_id || n),
       CASE message_type
         WHEN 'Text' THEN jsonb_build_object('text', CASE WHEN inbound
           THEN demo_pick(concat(t.contact_id, n), '{Hello!,Is the shop open tomorrow?,My parcel has not arrived,Wo ist meine Bestellung?,Quelle est l''adresse ?,こんにちは,Can I change the size?,Thanks!,Дуже дякую,\"STOP\" does nothing?}')
           ELSE demo_pick(concat(t.contact_id, n), '{Hello! How can we help?,We open at nine.,It should be there on Friday.,One moment please.,Here you are.,You are welcome!}') END)
         WHEN 'Image' THEN jsonb_build_object('id', (floor(demo_chance(concat(t.contact_id, n)) * 1e15))::bigint::text, 'mime_type', 'image/jpeg', 'caption', 'This one')
         WHEN 'Location' THEN jsonb_build_object('latitude', 45.764, 'longitude', 4.8357, 'name', 'Lyon')
         WHEN 'Reaction' THEN jsonb_build_object('emoji', '❤️')
         WHEN 'Document' THEN jsonb_build_object('id', (floor(demo_chance(concat(t.contact_id, n)) * 1e15))::bigint::text, 'mime_type', 'application/pdf', 'filename', 'invoice.pdf')
         ELSE jsonb_build_object('id', (floor(demo_chance(concat(t.contact_id, n)) * 1e15))::bigint::text, 'mime_type', 'audio/ogg', 'voice', true) END,
       at, CASE WHEN NOT inbound THEN 'Member' END, CASE WHEN NOT inbound THEN demo_member(t.contact_id::text) END
FROM demo_talk t, generate_series(1, length) n,
     LATERAL (SELECT (n % 2 = 1) <> by_member AS inbound, began + (n - 1) * interval '9 minutes' * (0.5 + demo_chance(t.contact_id || 'pace')) AS at) m,
     LATERAL (SELECT CASE WHEN inbound THEN demo_pick(t.contact_id || 'type' || n, '{Text,Text,Text,Text,Text,Image,Location,Reaction,Audio}')
                          ELSE demo_pick(t.contact_id || 'type' || n, '{Text,Text,Text,Text,Text,Text,Document}') END AS message_type) k
WHERE at < now() ORDER BY at;

UPDATE conversation c SET last_inbound_at = m.at
FROM (SELECT conversation_id, max(created_at) AS at FROM message
      WHERE organization_id = :'organization_id' AND direction = 'InBound' GROUP BY conversation_id) m
WHERE c.organization_id = :'organization_id' AND c.id = m.conversation_id;

-- What the recipients did, as the service notes and counts it.
CREATE TABLE demo_moment AS
WITH moments AS (
  SELECT message_id, campaign_id, ordinal, sent_at, at, true AS is_reply, first FROM demo_reply
  UNION ALL SELECT message_id, campaign_id, ordinal, sent_at, at, false, false
  FROM demo_target t, demo_clicks(message_id, status, sent_at) at
)
SELECT *, row_number() OVER (PARTITION BY message_id ORDER BY at, is_reply) = 1 AS engaged,
       row_number() OVER (PARTITION BY message_id, is_reply ORDER BY at) AS nth
FROM moments;

INSERT INTO click (organization_id, campaign_id, id, url_id, ordinal, at, preview, first)
SELECT :'organization_id', m.campaign_id, demo_id(at, 'click ' || message_id || nth), u.id, ordinal, at, false, nth = 1
FROM demo_moment m JOIN campaign_url u ON u.organization_id = :'organization_id' AND u.campaign_id = m.campaign_id
WHERE NOT is_reply;

INSERT INTO engagement (organization_id, campaign_id, message_id, replies, clicks, replied_at, clicked_at)
SELECT :'organization_id'::uuid, campaign_id, message_id, count(*) FILTER (WHERE is_reply), count(*) FILTER (WHERE NOT is_reply),
       min(at) FILTER (WHERE is_reply), min(at) FILTER (WHERE NOT is_reply)
FROM demo_moment GROUP BY campaign_id, message_id;

INSERT INTO campaign_count (organization_id, campaign_id, quarter, what, slot, n)
SELECT :'organization_id'::uuid, campaign_id, date_bin('15 minutes', at, 'epoch'), what, 0, count(*)
FROM (
  SELECT campaign_id, timestamptz 'epoch' AS at, 'Targets' AS what FROM demo_target
  UNION ALL SELECT campaign_id, sent_at, status FROM demo_target
  UNION ALL SELECT campaign_id, sent_at, 'Conversations' FROM demo_target WHERE opens
  UNION ALL SELECT campaign_id, sent_at, 'Engaged' FROM demo_moment WHERE engaged
  UNION ALL SELECT campaign_id, sent_at, what FROM demo_moment, unnest(ARRAY['Replies', CASE WHEN first THEN 'Replied' END]) what WHERE is_reply
  UNION ALL SELECT campaign_id, at, CASE WHEN is_reply THEN 'RepliesAt' ELSE 'ClicksAt' END FROM demo_moment
  UNION ALL SELECT m.campaign_id, 'epoch', what || u.id
  FROM demo_moment m JOIN campaign_url u ON u.organization_id = :'organization_id' AND u.campaign_id = m.campaign_id,
       unnest(ARRAY['Clicks ', CASE WHEN nth = 1 THEN 'People ' END]) what
  WHERE NOT is_reply
) counted
WHERE what IS NOT NULL
GROUP BY 1, 2, 3, 4;
UPDATE campaign c SET audience_count = (SELECT count(*) FROM demo_target t WHERE t.campaign_id = c.id)
WHERE organization_id = :'organization_id';

-- One row a campaign, and one of all else; the types are those of common/events/campaign_changes.hpp and counted_changes.hpp.
WITH changes AS (
  SELECT campaign_id, 1 AS part, min(sent_at) AS at, jsonb_build_object('type', 'campaign.messages', 'sentAt', min(sent_at), 'from', NULL,
           'to', status, 'count', count(*)) AS change
  FROM demo_target GROUP BY campaign_id, date_bin('15 minutes', sent_at, 'epoch'), status
  UNION ALL SELECT campaign_id, 2, min(sent_at), jsonb_build_object('type', 'campaign.conversations', 'sentAt', min(sent_at), 'count', count(*))
  FROM demo_target WHERE opens GROUP BY campaign_id, date_bin('15 minutes', sent_at, 'epoch')
  UNION ALL SELECT campaign_id, 3, at, CASE WHEN is_reply
    THEN jsonb_build_object('type', 'campaign.reply', 'sentAt', sent_at, 'at', at, 'first', first, 'engaged', engaged)
    ELSE jsonb_build_object('type', 'campaign.click', 'sentAt', sent_at, 'at', at, 'engaged', engaged) END
  FROM demo_moment
  UNION ALL SELECT id, 4, created_at, jsonb_build_object('type', 'campaign.described', 'name', name, 'listIds', list_ids, 'tags', told_tags)
  FROM campaign WHERE organization_id = :'organization_id'
)
INSERT INTO outbox (changes)
SELECT jsonb_agg(change || jsonb_build_object('organizationId', :'organization_id', 'campaignId', campaign_id) ORDER BY part, at)
FROM changes GROUP BY campaign_id;

WITH counted AS (
  SELECT 'message.counted' AS type, date_bin('15 minutes', created_at, 'epoch') AS quarter,
         CASE direction WHEN 'InBound' THEN direction ELSE status END AS what, count(*) AS n
  FROM message WHERE organization_id = :'organization_id' AND (direction = 'InBound' OR campaign_id IS NULL) GROUP BY 2, 3
  UNION ALL
  SELECT 'conversation.counted', date_bin('15 minutes', created_at, 'epoch'), initiated_by, count(*)
  FROM conversation WHERE organization_id = :'organization_id' GROUP BY 2, 3
)
INSERT INTO outbox (changes)
SELECT jsonb_agg(jsonb_build_object('type', type, 'organizationId', :'organization_id', 'quarter', quarter, 'counts', counts))
FROM (SELECT type, quarter, jsonb_object_agg(what, n) AS counts FROM counted GROUP BY type, quarter) quarters;

DROP TABLE demo_target, demo_reply, demo_talk, demo_moment, demo_members;
DROP FUNCTION demo_member, demo_clicks, demo_pick, demo_chance, demo_id;
