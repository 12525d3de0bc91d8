-- The rows that both sides of a benchmark read: `contacts` of one organization, 20 lists (each contact in two), 10 tags
-- (each contact bears two). psql -v organization=UUID -v contacts=10000
\set ON_ERROR_STOP on
BEGIN;
CREATE FUNCTION pg_temp.numbered(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT (lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;

INSERT INTO tag (organization_id, id, label)
SELECT :'organization', pg_temp.numbered(1, n), 'tag ' || n FROM generate_series(1, 10) n;
INSERT INTO list (organization_id, id, name, description)
SELECT :'organization', pg_temp.numbered(2, n), 'List ' || n, 'The list with number ' || n FROM generate_series(1, 20) n;
INSERT INTO list_tag (organization_id, list_id, tag_id)
SELECT :'organization', pg_temp.numbered(2, n), pg_temp.numbered(1, 1 + n % 10) FROM generate_series(1, 20) n;
INSERT INTO contact (organization_id, id, name, phone, attributes)
SELECT :'organization', pg_temp.numbered(3, n),
  (ARRAY['Ana','Bruno','Chloé','Dmitri','Elif','Farid','Grace','Hana','Ivan','Jürgen'])[1 + n % 10] || ' ' ||
  (ARRAY['Silva','Okafor','Nguyễn','Müller','Rossi','Kaya','Haddad','Sato','Petrov','Smith','Dubois'])[1 + n % 11] || ' ' || n,
  '+4917' || lpad(n::text, 8, '0'),
  jsonb_build_object('city', (ARRAY['Paris','Berlin','Lagos','Lima'])[1 + n % 4], 'plan', (ARRAY['free','pro'])[1 + n % 2])
FROM generate_series(1, :contacts) n;
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT :'organization', pg_temp.numbered(2, 1 + (n + k * 7) % 20), pg_temp.numbered(3, n)
FROM generate_series(1, :contacts) n, generate_series(0, 1) k;
INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT :'organization', pg_temp.numbered(3, n), pg_temp.numbered(1, 1 + (n + k * 3) % 10)
FROM generate_series(1, :contacts) n, generate_series(0, 1) k;
INSERT INTO tally (organization_id, list_id, slot, contacts, changes)
SELECT :'organization', list_id, 0, count(*), 1 FROM membership WHERE organization_id = :'organization' GROUP BY list_id;
INSERT INTO tally (organization_id, list_id, slot, contacts, changes)
SELECT :'organization', '00000000-0000-0000-0000-000000000000', s, CASE WHEN s = 0 THEN :contacts ELSE 0 END, 1
FROM generate_series(0, 15) s;
COMMIT;
VACUUM ANALYZE contact, list, membership, tag, contact_tag, list_tag, tally;
