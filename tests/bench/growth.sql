-- What an organization has after years, beside contacts.sql and conversations.sql: a campaign to all contacts, rare types
-- and statuses of messages, tags and members of conversations. In the schema of conversations.
-- psql -v organization=UUID -v contacts=1000000
\set ON_ERROR_STOP on
BEGIN;
CREATE FUNCTION pg_temp.numbered(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
CREATE FUNCTION pg_temp.number_of(id uuid) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT ('x' || translate(right(id::text, 12), '-', ''))::bit(48)::bigint $$;

INSERT INTO campaign (organization_id, id, name, status, phone_number_id, list_ids, variants, started_at, audience_done, audience_count)
SELECT :'organization', pg_temp.numbered(4, n), 'Campaign ' || n, CASE n WHEN 2 THEN 'Paused' ELSE 'Finished' END,
  '200000000000001', ARRAY[pg_temp.numbered(2, 1 + n % 20)],
  '[{"name": "B", "share": 5, "message": {"type": "Text", "text": "b"}}]', timestamptz '2026-02-01 00:00Z' + n * interval '1 hour', true,
  CASE n WHEN 2 THEN :contacts ELSE 0 END
FROM generate_series(2, 300) n;
-- Of a thousand recipients 20 are skipped; the last tenth waits. Messages of the others are below.
INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters, variant, skipped)
SELECT :'organization', pg_temp.numbered(4, 2), n, pg_temp.numbered(3, n), '+4917' || lpad(n::text, 8, '0'),
  pg_temp.numbered(7, n), '{}', (n % 20 = 5)::int,
  CASE WHEN n % 1000 < 10 THEN 'OptedOut' WHEN n % 1000 < 19 THEN 'Duplicate' WHEN n % 50000 = 19 THEN 'MissingValue' END
FROM generate_series(1, :contacts) n;
INSERT INTO chunk (organization_id, campaign_id, first, last, done)
SELECT :'organization', pg_temp.numbered(4, 2), n, least(n + 499, :contacts), n <= :contacts * 9 / 10
FROM generate_series(1, :contacts, 500) n;
INSERT INTO campaign_count (organization_id, campaign_id, quarter, what, slot, n)
VALUES (:'organization', pg_temp.numbered(4, 2), 'epoch', 'Targets', 0, :contacts);
-- Its messages are in the conversations that are there, as more of those would only repeat conversations.sql.
INSERT INTO message (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, message_type,
                     channel_message_id, data, error_code, error_text, created_at)
SELECT t.organization_id, t.message_id, c.id, t.contact_id, t.campaign_id, 'OutBound',
  CASE WHEN ordinal % 500 = 100 THEN 'Failed' WHEN ordinal % 2000 = 101 THEN 'UnDelivered'
       ELSE (ARRAY['Sent', 'Delivered', 'Read', 'Read'])[1 + ordinal % 4] END,
  'Template', 'wamid.' || encode(decode(md5('c' || ordinal), 'hex'), 'base64'),
  '{"template": {"name": "offer", "language": "en_US"}}',
  CASE WHEN ordinal % 500 = 100 THEN (ARRAY[131026, 131047, 131049, 130472])[1 + ordinal / 500 % 4] END, NULL,
  timestamptz '2026-08-01 00:00Z' + ordinal * interval '10 milliseconds'
FROM target t JOIN conversation c ON c.organization_id = t.organization_id AND c.contact_id = t.contact_id AND c.status = 'Active'
WHERE t.campaign_id = pg_temp.numbered(4, 2) AND t.skipped IS NULL AND t.ordinal <= :contacts * 9 / 10;

UPDATE message SET message_type = CASE WHEN pg_temp.number_of(id) % 20000 = 0 THEN 'Location' ELSE 'Image' END
WHERE pg_temp.number_of(id) % 200 = 0 AND message_type = 'Text';
UPDATE message SET status = 'Unread' WHERE direction = 'InBound' AND pg_temp.number_of(id) % 300 = 8;
-- Words that few messages have, and one alone.
UPDATE message SET data = jsonb_build_object('text', (data ->> 'text') || ' Your reclamation has number ' || pg_temp.number_of(id) || '.')
WHERE pg_temp.number_of(id) % 7000 = 20 AND message_type = 'Text';
UPDATE conversation SET assigned_member_id = pg_temp.numbered(8, pg_temp.number_of(id) % 20) WHERE pg_temp.number_of(id) % 3 = 0;
INSERT INTO conversation_tag (organization_id, conversation_id, tag_id)
SELECT organization_id, id, pg_temp.numbered(1, 1 + pg_temp.number_of(id) % 10) FROM conversation
WHERE organization_id = :'organization' AND pg_temp.number_of(id) % 5 = 0;
COMMIT;
VACUUM ANALYZE campaign, target, chunk, conversation, message, conversation_tag;
