-- 150 contacts, 8 tags and 6 lists. The numbers are of the ranges that British, French, German, Swedish and American
-- authorities keep for fiction: nobody has them.
-- psql variables: organization_id
SELECT EXISTS (SELECT FROM contact WHERE organization_id = :'organization_id' AND phone = '+447700900001') AS there \gset
\if :there
  \q
\endif
\ir functions.sql

WITH people (language, first_names, last_names) AS (VALUES
  ('en', '{Ada,Grace,Alan,Edsger,Barbara,Ken,Radia,Dennis,Frances,Margaret}'::text[],
         '{Lovelace,Hopper,O''Neill,St. John,Smith-Jones,MacLeod,Fitzgerald,Ó Briain,Brown,Taylor}'::text[]),
  ('de', '{Jürgen,Käthe,Björn,Änne,Götz,Sören,Heike,Wolfgang,Ulrike,Rüdiger}', '{Groß,Müller,Weiß,Jäger,Köhler,Schröder,von Löwenstein,Bäcker,Strauß,Übel}'),
  ('fr', '{Zoé,François,Anaïs,Jérôme,Chloé,Benoît,Gaëlle,Loïc,Noémie,Rémi}', '{Lefèvre,Dubois,Châtelain,D''Aubigné,Béranger,Noël,Garçon,Hébert,Lemaître,Œillet}'),
  ('es', '{Íñigo,Begoña,Ángel,Lucía,Joaquín,Inés,Ramón,Sofía,Óscar,María José}', '{Núñez,Ibáñez,García Márquez,Peña,Muñoz,Ortega,Zúñiga,Gómez,Castaño,Vázquez}'),
  ('pt', '{João,Conceição,Antônio,Inês,Sebastião,Lídia,Simão,Fátima,Estêvão,Glória}', '{Gonçalves,Magalhães,Araújo,Simões,Conceição,Assunção,Peixoto,Falcão,Leitão,Brandão}'),
  ('pl', '{Łukasz,Żaneta,Michał,Grażyna,Paweł,Bożena,Świętosława,Wojciech,Małgorzata,Józef}', '{Wójcik,Dąbrowski,Źródło,Kowalczyk,Zając,Błaszczyk,Gołąb,Śliwa,Pająk,Ćwik}'),
  ('tr', '{İbrahim,Ayşe,Çağlar,Gülşen,Oğuz,Şebnem,Yiğit,Özlem,Işık,Uğur}', '{Yılmaz,Öztürk,Çelik,Şahin,Doğan,Kılıç,Güneş,Aydın,Taşçı,Ünal}'),
  ('sv', '{Åsa,Björn,Göran,Märta,Örjan,Sigrid,Håkan,Frida,Åke,Annelí}', '{Öberg,Åkesson,Sjöström,Bäckström,Lindqvist,Nyström,Höög,Ekström,Söderberg,Ångman}'),
  ('el', '{Γιώργος,Ελένη,Νίκος,Μαρία,Δημήτρης,Άννα,Κώστας,Σοφία,Παύλος,Χρυσή}', '{Παπαδόπουλος,Νικολάου,Γεωργίου,Οικονόμου,Καραγιάννης,Αλεξίου,Μακρής,Βλάχος,Σπανός,Ψαράς}'),
  ('uk', '{Олена,Тарас,Юлія,Андрій,Соломія,Богдан,Ґалина,Їжак,Євген,Наталя}', '{Шевченко,Ковальчук,Їжакевич,Бойко,Гриценко,Лисенко,Мельник,Ґудзь,Петренко,Щербак}'),
  ('ar', '{ليلى,أحمد,فاطمة,يوسف,مريم,عمر,نور,خالد,سلمى,طارق}', '{حداد,منصور,العلي,نجار,خوري,صالح,عباس,شاهين,بكري,زيدان}'),
  ('hi', '{आरव,प्रिया,रोहन,अनन्या,विक्रम,मीरा,अर्जुन,काव्या,राजेश,सुनीता}', '{शर्मा,गुप्ता,सिंह,पटेल,वर्मा,जोशी,मिश्रा,राव,नायर,चौधरी}'),
  ('ja', '{健,さくら,翔太,美咲,大輔,陽子,蓮,結衣,悠真,葵}', '{佐藤,鈴木,高橋,田中,渡邊,伊藤,山本,中村,小林,齋藤}'),
  ('zh', '{伟,芳,娜,秀英,敏,静,丽,强,磊,洋}', '{王,李,张,刘,陈,杨,黄,赵,吴,歐陽}'),
  ('vi', '{Lan,Hùng,Thảo,Đức,Hương,Tuấn,Ngọc,Dũng,Phương,Bảo}', '{Nguyễn,Trần,Lê,Phạm,Hoàng,Đặng,Bùi,Võ,Dương,Lý}')
), numbered AS (
  SELECT g.*, i, (i - 1) * 15 + g.ordinality AS n
  FROM (SELECT *, row_number() OVER () AS ordinality FROM people) g, generate_series(1, 10) i
), made AS (
  SELECT n, language, now() - (151 - n) * interval '19 hours' AS created_at,
         CASE WHEN language IN ('ja', 'zh') THEN last_names[1 + (i * 3 + ordinality) % 10] || first_names[i]
              ELSE first_names[i] || ' ' || last_names[1 + (i * 3 + ordinality) % 10] END AS name,
         CASE n % 5 WHEN 0 THEN '+3363998' || lpad(n::text, 4, '0')
                    WHEN 1 THEN '+447700900' || lpad(n::text, 3, '0')
                    WHEN 2 THEN '+4917139200' || lpad((n / 5)::text, 2, '0')
                    WHEN 3 THEN '+46701740' || 605 + n / 5
                    ELSE '+1202555' || lpad((100 + n / 5)::text, 4, '0') END AS phone,
         (ARRAY['Lyon', 'London', 'Köln', 'Malmö', 'Washington'])[1 + n % 5] AS city
  FROM numbered
), inserted AS (
INSERT INTO contact (organization_id, id, name, phone, attributes, status, created_at)
SELECT :'organization_id', demo_id(created_at, phone), name, phone,
       jsonb_build_object('city', city, 'language', language,
                          'plan', demo_pick(phone || 'plan', '{free,free,free,basic,basic,gold}'),
                          'visits', floor(demo_chance(phone || 'visits') ^ 3 * 90)::int)
         || CASE WHEN demo_chance(phone || 'birthday') < 0.3
                 THEN jsonb_build_object('birthday', (date '1960-01-01' + (demo_chance(phone || 'b') * 16000)::int)::text)
                 ELSE '{}' END,
       CASE WHEN n % 25 = 7 THEN 'OptedOut' WHEN n % 37 = 11 THEN 'Blocked' WHEN n % 19 = 5 THEN 'Inactive' ELSE 'Active' END,
       created_at
FROM made ORDER BY n RETURNING id
)
SELECT count(*) AS contacts FROM inserted \gset

INSERT INTO tag (organization_id, id, label, created_at)
SELECT :'organization_id', demo_id(made, 'tag ' || label), label, made
FROM (SELECT label, now() - interval '118 days' + n * interval '3 days' AS made
      FROM unnest('{vip,newsletter,lead,customer,événement,Köln,complaint,東京}'::text[]) WITH ORDINALITY t (label, n)) t
ON CONFLICT (organization_id, lower(label)) DO NOTHING;

INSERT INTO contact_tag (organization_id, contact_id, tag_id)
SELECT c.organization_id, c.id, t.id
FROM contact c JOIN tag t USING (organization_id)
WHERE organization_id = :'organization_id' AND CASE t.label
  WHEN 'vip' THEN c.attributes ->> 'plan' = 'gold'
  WHEN 'customer' THEN c.attributes ->> 'plan' <> 'free'
  WHEN 'lead' THEN c.attributes ->> 'plan' = 'free' AND demo_chance(c.phone || 'lead') < 0.5
  WHEN 'newsletter' THEN c.status = 'Active' AND demo_chance(c.phone || 'newsletter') < 0.7
  WHEN 'Köln' THEN c.attributes ->> 'city' = 'Köln'
  WHEN '東京' THEN c.attributes ->> 'language' = 'ja'
  WHEN 'événement' THEN demo_chance(c.phone || 'event') < 0.15
  ELSE demo_chance(c.phone || t.label) < 0.04 END;

INSERT INTO list (organization_id, id, name, description, campaigns_sent, created_at)
SELECT :'organization_id', demo_id(made, 'list ' || name), name, description, campaigns_sent, made
FROM (SELECT *, now() - age * interval '1 day' AS made FROM (VALUES
  ('Newsletter', 'Everyone who asked for it', 2, 110),
  ('Customers', 'Those who pay', 1, 105),
  ('Trial users', 'Free plans, to be won', 1, 90),
  ('VIP', 'Gold plans', 1, 70),
  ('Événement à Lyon', 'Invited to the spring event', 1, 30),
  ('Kölner Stammtisch', 'Meets every second Tuesday', 0, 10)) l (name, description, campaigns_sent, age)) l;

INSERT INTO list_tag (organization_id, list_id, tag_id)
SELECT l.organization_id, l.id, t.id
FROM (VALUES ('Newsletter', 'newsletter'), ('Customers', 'customer'), ('Trial users', 'lead'), ('VIP', 'vip'), ('VIP', 'customer'),
             ('Événement à Lyon', 'événement'), ('Kölner Stammtisch', 'Köln')) x (list, tag)
JOIN list l ON l.name = x.list JOIN tag t USING (organization_id)
WHERE l.organization_id = :'organization_id' AND t.label = x.tag;

INSERT INTO membership (organization_id, list_id, contact_id)
SELECT c.organization_id, l.id, c.id
FROM contact c JOIN list l USING (organization_id)
WHERE organization_id = :'organization_id' AND CASE l.name
  WHEN 'Newsletter' THEN c.status = 'Active' AND demo_chance(c.phone || 'newsletter') < 0.7
  WHEN 'Customers' THEN c.attributes ->> 'plan' <> 'free'
  WHEN 'Trial users' THEN c.attributes ->> 'plan' = 'free'
  WHEN 'VIP' THEN c.attributes ->> 'plan' = 'gold'
  WHEN 'Événement à Lyon' THEN c.attributes ->> 'city' = 'Lyon' OR demo_chance(c.phone || 'event') < 0.15
  ELSE c.attributes ->> 'city' = 'Köln' END;

-- As the service does for every contact and membership that it adds.
INSERT INTO tally AS t (organization_id, list_id, slot, contacts, changes)
SELECT :'organization_id'::uuid, '00000000-0000-0000-0000-000000000000'::uuid, 0, :contacts, 1
UNION ALL
SELECT organization_id, list_id, 0, count(*), 1 FROM membership WHERE organization_id = :'organization_id' GROUP BY 1, 2
ON CONFLICT (organization_id, list_id, slot) DO UPDATE SET contacts = t.contacts + excluded.contacts, changes = t.changes + 1;

-- Analytics has to know of them (common/events/counted_changes.hpp).
INSERT INTO outbox (changes)
SELECT jsonb_agg(jsonb_build_object('type', 'contact.counted', 'organizationId', :'organization_id', 'quarter', quarter, 'created', n))
FROM (SELECT date_bin('15 minutes', created_at, 'epoch') AS quarter, count(*) AS n FROM contact
      WHERE organization_id = :'organization_id' GROUP BY 1) made;

DROP FUNCTION demo_clicks, demo_pick, demo_chance, demo_id;
