-- Entries of an audit, over a year. In the schema of organizations. psql -v organization=UUID -v entries=300000
\set ON_ERROR_STOP on
INSERT INTO audit (organization_id, id, created_at, action, member_id, member_email, credential_id, subject_id, subject, address,
                   request_id, after)
SELECT :'organization', gen_random_uuid(), timestamptz '2025-11-01 00:00Z' + n * interval '100 seconds',
  CASE WHEN n % 30000 = 7 THEN 'RoleDeleted' WHEN n % 3 = 0 THEN 'ContactsExported' ELSE 'MemberUpdated' END,
  ('00000000-0000-7000-8000-' || lpad(to_hex(n % 40), 12, '0'))::uuid, 'member' || n % 40 || '@example.org', 'key' || n % 50,
  gen_random_uuid(), 'subject ' || n, '192.0.2.' || n % 250, md5(n::text), '{"name": "x"}'
FROM generate_series(1, :entries) n;
VACUUM ANALYZE audit;
