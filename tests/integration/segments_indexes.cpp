// Indexes of attributes: what they find is what rows say, whatever happens while they are filled.
#include <random>

#include "contacts/indexing/store.hpp"
#include "contacts/segments/use.hpp"
#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace indexing = parley::contacts::indexing;
namespace segments = parley::contacts::segments;

namespace {

const std::string kOld = R"({"type":"number","attribute":"age","moreThan":40})";
const std::string kBorn = R"({"type":"date","attribute":"age","from":"2026-01-31","to":"2026-03-01"})";
const std::string kNamed = R"({"type":"text","attribute":"age","operator":"contains","values":["4","LIM"]})";

// Values of indexes that rows do not say, and those that are missing.
constexpr auto kWrong =
    "WITH said AS (SELECT c.organization_id, i.id, c.id, r.number, r.words FROM contact c "
    "  JOIN indexed_attribute i USING (organization_id) "
    "  CROSS JOIN LATERAL attribute_reading(c.attributes -> i.name, i.kind) r WHERE i.stage = 'Complete'), "
    "kept AS (SELECT v.organization_id, v.attribute_id, v.contact_id, v.number, v.words FROM attribute_value v "
    "  WHERE EXISTS (SELECT FROM indexed_attribute i WHERE i.id = v.attribute_id AND i.stage = 'Complete')) "
    "SELECT count(*) FROM ((TABLE said EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE said)) w";

struct Bed : Collections {
  Uuid save(const std::string& filter, const Uuid& of) {
    const auto id = model::new_uuid();
    database.sql().rows("INSERT INTO segment (organization_id, id, name, filter) VALUES ($1, $2, $2::uuid::text, $3)",
                        {of.text(), id.text(), filter});
    return id;
  }
  Uuid save(const std::string& filter) { return save(filter, organization); }
  Uuid add(const std::string& age) {
    return database.add_contact(organization, "Ada", "", "Active", R"({"age":)" + age + "}");
  }
  // Two looks, as a new index is opened by the second, and one step, as of a worker.
  std::int64_t step(std::size_t most = 1'000) { return step_of(store, most); }
  std::int64_t step_of(indexing::Store& of, std::size_t most) {
    loop.run(of.open());
    loop.run(of.open());
    return loop.run(of.fill(most)).contacts;
  }
  void fill() {
    while (loop.run(store.open()) > 0) loop.run(store.fill(1'000));
  }
  std::string stages() {
    return database.sql().value("SELECT string_agg(kind || ' ' || stage, ', ' ORDER BY kind) FROM indexed_attribute");
  }
  // Anew: not a total that is kept.
  std::int64_t count(const std::string& filter) {
    database.sql().rows("UPDATE tally SET changes = changes + 1");
    return loop.run(a.contacts.count(organization, segments::read_stored(filter)));
  }
  // True if a statement with this filter would use an index of attributes.
  bool uses_index(const std::string& filter) {
    static const pg::Statement statement("tests.indexes.all", "SELECT /*segment all $2*/", pg::Lane::slow, {},
                                         pg::Statement::Kind::unprepared);
    const auto predicate = loop.run(segments::use(a.pool, organization, segments::read_stored(filter)));
    return predicate->in(statement)->sql.find("attribute_value") != std::string::npos;
  }
  std::int64_t number(const std::string& question) { return database.sql().number(question); }

  indexing::Store store{a.pool};
};

}  // namespace

TEST_CASE("segments: an index reads each value as the row of a contact is read") {
  Bed bed;
  const std::string long_decimals(3'000, '3');
  for (const std::string value : {"41",
                                  "40",
                                  "40.0",
                                  "\"41\"",
                                  "\" 41 \"",
                                  "\"4.1e1\"",
                                  "\"41x\"",
                                  "\"Infinity\"",
                                  "\"NaN\"",
                                  "1e300",
                                  "-1e300",
                                  "\"1e400\"",
                                  "40.00000000000000000001",
                                  "\"40.00000000000000000001\"",
                                  "12345678901234567890.5",
                                  "true",
                                  "null",
                                  "[41]",
                                  "{\"a\":41}",
                                  "\"2026-01-31\"",
                                  "\"2026-02-30\"",
                                  "\"2026-02-31\"",
                                  "\"2026-02-30T23:59:59Z\"",
                                  "\"2026-02-30 x\"",
                                  "\"2026-02-30x\"",
                                  "\"2026-01-30\"",
                                  "\"Lima\"",
                                  "\"LIMA\"",
                                  "\"\""})
    bed.add(value);
  for (const auto* begin : {"40.", "-40.", "0.", "39.9999"}) bed.add(begin + long_decimals);
  bed.add("\"" + std::string(254, 'x') + "Lima\"");  // ends behind what is searched
  bed.add("\"" + std::string(252, 'x') + "Lima\"");
  std::vector<std::string> filters{kOld, kBorn, kNamed};
  for (const auto* bound : {"40", "41", "-40", "0", "1e15", "0.3333333333333333", "1e-300"})
    for (const auto* comparison : {"atLeast", "moreThan", "atMost", "lessThan"})
      filters.push_back(R"({"type":"number","attribute":"age",")" + std::string(comparison) + "\":" + bound + "}");
  filters.push_back(
      R"({"type":"text","attribute":"age","operator":"startsWith","values":["4","true","-","2026-02","l"]})");
  std::vector<std::int64_t> by_row, by_index;
  for (const auto& filter : filters) by_row.push_back(bed.count(filter));
  for (const auto& filter : filters) bed.save(filter);
  bed.fill();
  CHECK(bed.uses_index(kOld));
  for (const auto& filter : filters) by_index.push_back(bed.count(filter));
  CHECK_EQ(by_index, by_row);
  CHECK_EQ(bed.number(kWrong), 0);
}

TEST_CASE("segments: an index is filled only once nobody is left who writes contacts and does not see it") {
  Bed bed;
  const auto seen = bed.add("30");
  Sql writer(bed.database.url());
  writer.rows("BEGIN");
  writer.rows("INSERT INTO contact (organization_id, id, name, attributes) VALUES ($1, $2, 'Ada', '{\"age\": 50}')",
              {bed.organization.text(), model::new_uuid().text()});
  writer.rows("UPDATE contact SET attributes = '{\"age\": 60}' WHERE id = $1", {seen.text()});
  bed.save(kOld);
  for (int i = 0; i < 3; ++i) CHECK_EQ(bed.step(), 0);
  CHECK_EQ(bed.stages(), "number New");
  CHECK_FALSE(bed.uses_index(kOld));
  indexing::Store other(bed.b.pool);  // of a process that began later
  CHECK_EQ(bed.step_of(other, 1'000), 0);
  CHECK_EQ(bed.stages(), "number New");
  writer.rows("COMMIT");
  // Whoever writes from now on sees the index.
  writer.rows("BEGIN");
  writer.rows("INSERT INTO contact (organization_id, id, name, attributes) VALUES ($1, $2, 'Ada', '{\"age\": 70}')",
              {bed.organization.text(), model::new_uuid().text()});
  bed.fill();
  CHECK(bed.uses_index(kOld));
  CHECK_EQ(bed.count(kOld), 2);
  writer.rows("COMMIT");
  CHECK_EQ(bed.number(kWrong), 0);
  CHECK_EQ(bed.count(kOld), 3);
}

TEST_CASE(
    "segments: whoever began to write after the segment was saved, and before that could be seen, is waited for") {
  Bed bed;
  Sql saver(bed.database.url()), writer(bed.database.url());
  saver.rows("BEGIN");
  saver.rows("INSERT INTO segment (organization_id, id, name, filter) VALUES ($1, $2, 'old', $3)",
             {bed.organization.text(), model::new_uuid().text(), kOld});
  writer.rows("BEGIN");
  writer.rows("INSERT INTO contact (organization_id, id, name, attributes) VALUES ($1, $2, 'Ada', '{\"age\": 50}')",
              {bed.organization.text(), model::new_uuid().text()});
  saver.rows("COMMIT");
  for (int i = 0; i < 3; ++i) CHECK_EQ(bed.step(), 0);
  CHECK_EQ(bed.stages(), "number New");
  writer.rows("COMMIT");
  bed.fill();
  CHECK_EQ(bed.count(kOld), 1);
  CHECK_EQ(bed.number(kWrong), 0);
}

TEST_CASE("segments: an index waits for contacts that are being changed, and no writer for an index") {
  for (const auto* end : {"COMMIT", "ROLLBACK"}) {
    Bed bed;
    std::vector<Uuid> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(bed.add("50"));
    bed.save(kOld);
    for (int i = 0; i < 2; ++i) bed.loop.run(bed.store.open());
    Sql writer(bed.database.url());
    writer.rows("BEGIN");
    writer.rows("UPDATE contact SET attributes = '{\"age\": \"young\"}' WHERE id = $1", {ids[2].text()});
    writer.rows("DELETE FROM contact WHERE id = $1", {ids[3].text()});
    CHECK_EQ(bed.step(), 2);
    CHECK_EQ(bed.step(), 0);
    CHECK_FALSE(bed.uses_index(kOld));
    writer.rows("UPDATE contact SET attributes = '{\"age\": 1}' WHERE id = $1", {ids[0].text()});
    writer.rows(end);
    bed.fill();
    CHECK(bed.uses_index(kOld));
    CHECK_EQ(bed.count(kOld), std::string(end) == "COMMIT" ? 2 : 5);
    CHECK_EQ(bed.number(kWrong), 0);
  }
}

TEST_CASE("segments: an index goes on where a process left it, by several at once, and organizations take turns") {
  Bed bed;
  for (int i = 0; i < 20; ++i) bed.add(std::to_string(30 + i));
  bed.database.add_contact(bed.other, "Bob", "", "Active", R"({"age":50})");
  bed.save(kOld);
  CHECK_EQ(bed.step(7), 7);
  bed.save(kOld, bed.other);
  indexing::Store other(bed.b.pool);
  CHECK_EQ(bed.step_of(other, 7), 1);  // the other organization's only one
  CHECK_EQ(bed.step(7), 7);
  CHECK_FALSE(bed.uses_index(kOld));
  CHECK_EQ(bed.step_of(other, 7), 6);
  CHECK_EQ(bed.loop.run(bed.store.open()), 0);
  CHECK_EQ(bed.count(kOld), 9);
  CHECK_EQ(bed.number(kWrong), 0);
}

TEST_CASE("segments: an index goes some time after the last segment that names its attribute, and its values with it") {
  Bed bed;
  bed.add("50");
  const auto segment = bed.save(kOld), second = bed.save(R"({"type":"all","conditions":[)" + kOld + "]}");
  bed.save(R"({"type":"not","condition":{"type":"number","attribute":"n","atLeast":1}})");  // no index would find them
  bed.fill();
  auto& sql = bed.database.sql();
  sql.rows("DELETE FROM segment WHERE id = $1", {segment.text()});
  CHECK(bed.uses_index(kOld));
  sql.rows("UPDATE segment SET filter = $2 WHERE id = $1", {second.text(), kNamed});
  CHECK_FALSE(bed.uses_index(kOld));
  CHECK_EQ(bed.stages(), "number Complete, text New");
  const auto late = bed.add("60");  // statements may still be under way that use it
  CHECK_EQ(bed.number(kWrong), 0);
  CHECK_FALSE(bed.loop.run(bed.store.sweep()));
  SUBCASE("named again before that, it is complete") {
    bed.save(kOld);
    CHECK(bed.uses_index(kOld));
    CHECK_EQ(bed.count(kOld), 2);
  }
  SUBCASE("named again after that, it is another") {
    const auto unused_long = "UPDATE indexed_attribute SET unused_since = unused_since - interval '11 minutes'";
    sql.rows(unused_long);
    CHECK(bed.loop.run(bed.store.sweep()));
    CHECK_FALSE(bed.loop.run(bed.store.sweep()));
    CHECK_EQ(bed.stages(), "text New");
    bed.save(kOld);
    CHECK_EQ(sql.number("SELECT count(*) FROM attribute_value WHERE number IS NOT NULL"), 2);
    sql.rows("UPDATE contact SET attributes = '{\"age\": 3}' WHERE id = $1", {late.text()});
    bed.fill();
    CHECK_EQ(bed.number(kWrong), 0);
    CHECK_EQ(bed.count(kOld), 1);
    sql.rows("UPDATE removal SET started_at = now() - interval '3 minutes'");
    bed.sweep();
    CHECK_EQ(sql.number("SELECT count(*) FROM attribute_value v WHERE NOT EXISTS "
                        "(SELECT FROM indexed_attribute i WHERE i.id = v.attribute_id)"),
             0);
    CHECK_EQ(bed.count(kOld), 1);
  }
}

TEST_CASE(
    "segments: an organization has at most twenty indexes of attributes, three of texts, and a place becomes free") {
  Bed bed;
  for (int i = 0; i < 5; ++i)
    bed.save(R"({"type":"text","attribute":"t)" + std::to_string(i) + R"(","operator":"contains","values":["a"]})",
             bed.other);
  CHECK_EQ(bed.number("SELECT count(*) FROM indexed_attribute"), 3);
  std::vector<Uuid> saved;
  for (int i = 0; i < 22; ++i)
    saved.push_back(bed.save(R"({"type":"number","attribute":"n)" + std::to_string(i) + R"(","atLeast":1})"));
  bed.save(kOld, bed.other);
  const auto has = [&](const std::string& name) {
    return bed.database.sql().number("SELECT count(*) FROM indexed_attribute WHERE name = $1", {name}) == 1;
  };
  CHECK_EQ(bed.number("SELECT count(*) FROM indexed_attribute"), 24);
  CHECK_FALSE(has("n21"));
  bed.database.sql().rows("DELETE FROM segment WHERE id = ANY ($1)",
                          {support::sql_array(texts({saved[0], saved[20]}))});
  bed.database.sql().rows("UPDATE indexed_attribute SET unused_since = unused_since - interval '11 minutes'");
  CHECK(bed.loop.run(bed.store.sweep()));
  CHECK(has("n21"));
  CHECK_EQ(bed.number("SELECT count(*) FROM indexed_attribute"), 24);
}

TEST_CASE("segments: while many write, indexes are filled and dropped, and none has a wrong value") {
  static const pg::Statement change(
      "tests.indexes.change",
      "UPDATE contact SET attributes = CASE WHEN $2 % 5 = 0 THEN '{}' ELSE jsonb_build_object('age', $2, 'born', "
      "'2026-01-31', 'n', $2) END "
      "WHERE organization_id = $1 AND phone IS NULL AND hashtext(id::text) % 40 = $2 % 40",
      pg::Lane::write, {pg::oid::uuid, pg::oid::int8}, pg::Statement::Kind::unprepared);
  static const pg::Statement add("tests.indexes.add",
                                 "INSERT INTO contact (organization_id, id, name, phone, attributes) "
                                 "SELECT $1, gen_random_uuid(), 'Ada', '+' || n % 90, jsonb_build_object('age', n) "
                                 "FROM generate_series($2, $2 + 4) n ON CONFLICT (organization_id, phone) "
                                 "WHERE phone IS NOT NULL DO UPDATE SET attributes = excluded.attributes",
                                 pg::Lane::write, {pg::oid::uuid, pg::oid::int8}, pg::Statement::Kind::unprepared);
  static const pg::Statement remove("tests.indexes.remove",
                                    "DELETE FROM contact WHERE organization_id = $1 AND phone = '+' || $2 % 90",
                                    pg::Lane::write, {pg::oid::uuid, pg::oid::int8}, pg::Statement::Kind::unprepared);
  Bed bed;
  bed.database.add_contacts(bed.organization, 200);
  const std::vector<std::string> filters{kOld, R"({"type":"date","attribute":"born","from":"2026-01-31"})", kNamed};
  int writing = 0;
  const auto write = [&](Replica& replica, std::int64_t begin) -> awaitable<void> {
    ++writing;
    std::minstd_rand random(static_cast<unsigned>(begin));
    for (std::int64_t i = begin; i < begin + 60; ++i) {
      if (begin == 1 && i % 15 == 0 && i / 15 <= std::ssize(filters))
        bed.save(filters[static_cast<std::size_t>(i / 15 - 1)]);
      auto transaction = co_await replica.pool.begin();
      const auto n = static_cast<std::int64_t>(random() % 1'000);
      const auto& statement = i % 3 == 0 ? add : i % 7 == 0 ? remove : change;
      co_await transaction.run(pg::Batch(statement, bed.organization, n));
      if (i % 4 != 0) co_await transaction.commit();
    }
    --writing;
  };
  const auto work = [&](Replica& replica, std::size_t most) -> awaitable<void> {
    indexing::Store store(replica.pool);
    while (co_await store.open() > 0 || writing > 0) co_await store.fill(most);
  };
  for (std::int64_t i = 0; i < 4; ++i) bed.loop.launch(write(i % 2 ? bed.a : bed.b, 1 + i * 100));
  bed.loop.launch(work(bed.a, 9));
  bed.loop.launch(work(bed.b, 30));
  bed.loop.finish();
  CHECK_EQ(bed.stages(), "day Complete, number Complete, text Complete");
  CHECK_EQ(bed.number(kWrong), 0);
  CHECK_GT(bed.number("SELECT count(*) FROM attribute_value"), 100);
}
