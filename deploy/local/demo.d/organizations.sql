-- Three roles and four members beside the owner.
-- psql variables: organization_id
SELECT EXISTS (SELECT FROM role WHERE organization_id = :'organization_id' AND name = 'Support agent') AS there \gset
\if :there
  \q
\endif
\ir functions.sql

-- Permissions are bits, numbered as in common/identity/permission.hpp.
INSERT INTO role (organization_id, id, name, description, permissions, created_at)
SELECT :'organization_id', demo_id(made, name), name, description, (SELECT bit_or(1::bigint << bit) FROM unnest(bits) bit), made
FROM (VALUES
  ('Campaign manager', 'Plans campaigns, keeps lists and tags, reads what came of it',
   ARRAY[4, 5, 6, 7, 8, 14, 16, 17, 18, 19, 20, 21, 22, 24, 25, 26, 28, 41, 43, 44, 45], interval '80 days'),
  ('Support agent', 'Answers conversations', ARRAY[0, 8, 9, 10, 12, 13, 14, 15, 16, 20, 24, 26], interval '79 days'),
  ('Analyst', 'Reads figures, lists and contacts', ARRAY[4, 16, 20, 24, 41, 42, 43], interval '78 days')
) r (name, description, bits, age), LATERAL (SELECT now() - age AS made) m;

WITH someone (name, email, access_level, role, age) AS (VALUES
  ('Zoë Ångström', 'zoe@demo.example', 'Admin', NULL, interval '75 days'),
  ('Mateusz Wiśniewski', 'mateusz@demo.example', 'Member', 'Campaign manager', interval '60 days'),
  ('Nguyễn Thị Lan', 'lan@demo.example', 'Member', 'Support agent', interval '45 days'),
  ('Adaeze Okafor', 'adaeze@demo.example', 'Member', 'Analyst', interval '20 days')
), people AS (
  INSERT INTO person (id, email, name, created_at)
  SELECT demo_id(now() - age, email || :'organization_id'), email, name, now() - age FROM someone
  ON CONFLICT (lower(email)) DO UPDATE SET email = person.email
  RETURNING id, email
), members AS (
  INSERT INTO member (organization_id, id, person_id, access_level, created_at)
  SELECT :'organization_id', demo_id(now() - age, 'member ' || email), people.id, access_level, now() - age
  FROM someone JOIN people USING (email)
  RETURNING id, person_id
)
INSERT INTO member_role (organization_id, member_id, role_id)
SELECT r.organization_id, members.id, r.id
FROM someone JOIN people USING (email) JOIN members ON members.person_id = people.id
JOIN role r ON r.organization_id = :'organization_id' AND r.name = someone.role;

DROP FUNCTION demo_clicks, demo_pick, demo_chance, demo_id;
