-- Beside contacts.sql, in the schema of conversations: one conversation for every second contact and two (an older one,
-- closed) for the others, each with 10 messages of a word to a few lines. psql -v organization=UUID -v contacts=10000
\set ON_ERROR_STOP on
BEGIN;
CREATE FUNCTION pg_temp.numbered(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;

INSERT INTO campaign (organization_id, id, name, status)
SELECT :'organization', pg_temp.numbered(4, 1), 'Campaign 1', 'Finished';
INSERT INTO conversation (organization_id, id, contact_id, campaign_id, initiated_by, status, created_at)
SELECT :'organization', pg_temp.numbered(5, n * 2 + k), pg_temp.numbered(3, n),
  CASE WHEN n % 3 = 0 THEN pg_temp.numbered(4, 1) END, CASE WHEN n % 3 = 0 THEN 'Campaign' ELSE 'Contact' END,
  CASE k WHEN 1 THEN 'Active' ELSE 'Closed' END, timestamptz '2026-01-01 00:00Z' + (n * 2 + k) * interval '1 minute'
FROM generate_series(1, :contacts) n, generate_series(0, 1) k
WHERE k = 1 OR n % 2 = 0;
INSERT INTO message (organization_id, id, conversation_id, contact_id, reply_to_message_id, direction, status,
                     message_type, channel_message_id, data, created_at)
SELECT c.organization_id, pg_temp.numbered(6, c.n * 10 + m), c.id, c.contact_id,
  CASE WHEN m % 5 = 4 THEN pg_temp.numbered(6, c.n * 10 + m - 1) END,
  CASE m % 2 WHEN 0 THEN 'InBound' ELSE 'OutBound' END,
  CASE m % 2 WHEN 0 THEN 'Read' ELSE (ARRAY['Sent','Delivered','Read'])[1 + m % 3] END, 'Text',
  'wamid.' || encode(decode(md5(c.n || '.' || m), 'hex'), 'base64'),
  jsonb_build_object('text', repeat('Thank you for your order, it is on its way. ', 1 + (c.n + m)::int % 3) || m),
  c.created_at + m * interval '17 seconds'
FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM conversation WHERE organization_id = :'organization') c, generate_series(0, 9) m;
COMMIT;
VACUUM ANALYZE campaign, conversation, message;
