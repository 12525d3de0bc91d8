-- An inbox as large as somebody may have: a conversation with each contact of the organization, of two messages, and 20,000 in the newest one.
-- psql -v organization=UUID
\set ON_ERROR_STOP on
SET search_path = conversations;
SET statement_timeout = '10min';
BEGIN;
CREATE TEMP TABLE talk ON COMMIT DROP AS
SELECT id AS contact_id, n, ('01' || lpad(to_hex(n), 10, '0') || '7' || substr(md5(id::text), 1, 3) || '8' || substr(md5(id::text), 4, 15))::uuid AS id
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts.contact WHERE organization_id = :'organization') c;
INSERT INTO conversation (organization_id, id, contact_id, initiated_by, created_at)
SELECT :'organization', id, contact_id, 'Contact', now() - interval '200 days' FROM talk;
INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, channel_message_id, data, created_at)
SELECT :'organization', gen_random_uuid(), id, contact_id, CASE m % 2 WHEN 1 THEN 'InBound' ELSE 'OutBound' END, 'Read', 'Text', 'wamid.' || n || '.' || m,
  jsonb_build_object('text', repeat('Thank you for your order, it is on its way. ', (n + m)::int % 4) || 'Line ' || m),
  now() - n * interval '1 minute' - ((CASE n WHEN 1 THEN 20000 ELSE 2 END) - m) * interval '11 seconds'
FROM talk, LATERAL generate_series(1, CASE n WHEN 1 THEN 20000 ELSE 2 END) m;
COMMIT;
ANALYZE conversation, message;
