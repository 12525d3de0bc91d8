// Pages and exports of more contacts than one look takes in: what is common, what some have and what few have is found
// in different ways, and all of them say what plain SQL says.
#include <doctest/doctest.h>

#include <functional>

#include "contacts/contacts/rows.hpp"
#include "contacts/contacts/sql.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;

namespace {

constexpr std::string_view kRedisAway = "redis://127.0.0.1:1/0";
constexpr int kContacts = 3'500;

// Every contact is named "Ada ..", every 60th "Zoë ..", two "Quux ..", and none of the newest 1,200 "Old ..".
struct Crowd {
  Crowd() : loop(patient(database.settings())), replica(loop, patient(database.settings()), std::string(kRedisAway)) {
    auto& sql = database.sql();
    sql.rows("BEGIN");
    const auto ids = database_ids();
    sql.rows(
        "INSERT INTO contact (organization_id, id, name, phone, status, attributes) "
        "SELECT $1, id, 'Ada' || CASE WHEN n % 60 = 1 THEN ' Zoë' ELSE '' END || CASE WHEN n % 1700 = 3 THEN ' Quux' "
        "ELSE '' END || CASE WHEN n < 2300 AND n % 10 = 0 THEN ' Old' ELSE '' END || ' ' || (n * 7919) % 3500, "
        "'+49160' || 1000000 + n, CASE WHEN n % 50 = 0 THEN 'Blocked' ELSE 'Active' END, "
        "jsonb_build_object('tenth', n % 10, 'one', n = 77) FROM unnest($2::uuid[]) WITH ORDINALITY AS new (id, n)",
        {organization.text(), support::sql_array(texts(ids))});
    sql.rows("INSERT INTO tally VALUES ($1, $2, 0, $3, 1)",
             {organization.text(), Uuid{}.text(), std::to_string(kContacts)});
    sql.rows("COMMIT");
    std::vector<Uuid> half;
    for (std::size_t i = 0; i < ids.size(); i += 2) half.push_back(ids[i]);
    list = database.add_list(organization, "half", half);
    const auto tag = database.add_tag(organization, "third");
    for (std::size_t i = 0; i < ids.size(); i += 3) database.tag_contact(organization, ids[i], tag);
    // Others, of the same names.
    sql.rows(
        "INSERT INTO contact (organization_id, id, name, phone, attributes, status) SELECT gen_random_uuid(), "
        "gen_random_uuid(), name, phone, attributes, status FROM contact");
    sql.rows("ANALYZE");
  }
  static std::vector<Uuid> database_ids() {
    std::vector<Uuid> ids(kContacts);
    for (auto& id : ids) id = model::new_uuid();
    return ids;
  }

  Database database;
  Uuid organization = model::new_uuid(), list;
  Loop loop;
  Replica replica;
};

Crowd& crowd() {
  static Crowd the_crowd;
  return the_crowd;
}

struct Question {
  std::string where;
  std::function<void(contacts::contacts::Filter&)> ask;
};

const std::vector<Question>& questions() {
  static const auto list = crowd().list;
  static const std::string in_list = " AND id IN (SELECT contact_id FROM membership)";
  static const std::string tagged = " AND id IN (SELECT contact_id FROM contact_tag)";
  static const std::vector<Question> all{
      {"true", [](auto& filter) { filter.search = "ada"; }},
      {"name LIKE '%Zoë%'", [](auto& filter) { filter.search = "ZOE"; }},
      {"name LIKE '%Quux%'", [](auto& filter) { filter.search = "quux"; }},
      {"name LIKE '%Old%'", [](auto& filter) { filter.search = "old"; }},
      {"name LIKE '%Zoë%'", [](auto& filter) { filter.search = "oé"; }},
      {"name LIKE '%Quux%'", [](auto& filter) { filter.search = "q"; }},
      {"false", [](auto& filter) { filter.search = "nobody"; }},
      {"phone LIKE '+491601000%' OR name LIKE '%1000%'", [](auto& filter) { filter.search = "0160 1000"; }},
      {"(attributes ->> 'tenth')::int = 4", [](auto& filter) { filter.attributes = {{"tenth", "4"}}; }},
      {"(attributes ->> 'one')::bool", [](auto& filter) { filter.attributes = {{"one", "true"}}; }},
      {"status = 'Blocked'", [](auto& filter) { filter.status = ContactStatus::Blocked; }},
      {"true" + in_list, [](auto& filter) { filter.list_id = list; }},
      {"name LIKE '%Zoë%'" + in_list,
       [](auto& filter) {
         filter.list_id = list;
         filter.search = "zoe";
       }},
      {"true" + tagged, [](auto& filter) { filter.tag = "THIRD"; }},
      {"status = 'Active' AND name LIKE '%Old%'" + tagged + in_list,
       [](auto& filter) {
         filter.tag = "third";
         filter.list_id = list;
         filter.status = ContactStatus::Active;
         filter.search = "old";
       }},
  };
  return all;
}

std::vector<std::string> by_sql(const std::string& where, const std::string& order) {
  return crowd().database.sql().column(
      "SELECT id FROM contact WHERE organization_id = $1 AND (" + where + ") ORDER BY " + order,
      {crowd().organization.text()});
}

std::vector<std::string> ids_of(const Page& page) {
  std::vector<std::string> out;
  for (const auto& contact : page.contacts) out.push_back(contact.uniqueId.text());
  return out;
}

Page page_of(const Filter& filter) {
  return crowd().loop.run(crowd().replica.contacts.list(crowd().organization, filter));
}

// Whether the organization's contacts are a good part of all there are, by what the planner thinks: they are then
// looked for in another way.
void make_it(bool large) {
  crowd().database.sql().rows("UPDATE pg_class SET reltuples = " + std::to_string(large ? kContacts : 100 * kContacts) +
                              " WHERE oid = 'contact'::regclass");
}

void check_questions() {
  for (const auto& question : questions())
    for (const bool by_name : {false, true})
      for (const bool descending : {false, true}) {
        INFO(question.where << (by_name ? " by name" : "") << (descending ? " desc" : ""));
        Filter filter;
        question.ask(filter);
        filter.descending = descending;
        if (by_name) filter.sort_by = SortBy::name;
        const std::string way = descending ? " DESC" : "";
        const auto expected = by_sql(question.where, (by_name ? "lower(name)" + way + ", " : "") + "id" + way);
        const auto size = static_cast<std::int64_t>(expected.size());
        for (const std::int64_t skip : {std::int64_t{0}, size / 2, std::max(std::int64_t{0}, size - 5)}) {
          filter.paging.skip = skip;
          const auto page = page_of(filter);
          CHECK_EQ(page.total, size);
          const auto end = std::min(size, skip + 20);
          REQUIRE_EQ(ids_of(page), std::vector(expected.begin() + skip, expected.begin() + end));
        }
        filter.paging.skip = 0;
        filter.paging.per_page = 100;
        std::vector<std::string> walked;
        for (std::size_t pages = 0; pages <= expected.size() / 100; ++pages) {
          const auto page = page_of(filter);
          CHECK_EQ(page.total, size);
          for (const auto& id : ids_of(page)) walked.push_back(id);
          if (page.contacts.empty()) break;
          const auto& last = page.contacts.back();
          filter.after = http::Cursor{last.uniqueId, by_name ? last.name : ""};
        }
        CHECK_EQ(walked, expected);
      }
}

}  // namespace

TEST_CASE("search: what all, some, few and none have is found, counted, skipped to and walked through in every order") {
  make_it(false);
  check_questions();
}

TEST_CASE("search: all of that in an organization to whom most contacts belong") {
  make_it(true);
  check_questions();
}

TEST_CASE(
    "search: a deep page of what a third has is found by walking, and neither by finding nor by sorting all of it") {
  Database database;
  constexpr int kMany = 36'000;
  const auto organization = model::new_uuid();
  database.sql().rows(
      "INSERT INTO contact (organization_id, id, name, attributes) SELECT $1, md5(n::text)::uuid, 'Ada ' || "
      "(n * 7919) % 36000, jsonb_build_object('third', n % 3 = 0) FROM generate_series(1, 36000) n",
      {organization.text()});
  database.sql().rows("INSERT INTO tally VALUES ($1, $2, 0, $3, 1)",
                      {organization.text(), Uuid{}.text(), std::to_string(kMany)});
  database.sql().rows("ANALYZE");
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  for (const bool by_name : {false, true}) {
    CAPTURE(by_name);
    Filter filter;
    filter.attributes = {{"third", "true"}};
    if (by_name) filter.sort_by = SortBy::name;
    for (const std::int64_t skip : {2'500, 9'990, 11'990}) {
      CAPTURE(skip);
      filter.paging.skip = skip;
      const auto page = loop.run(replica.contacts.list(organization, filter));
      CHECK_EQ(ids_of(page),
               database.sql().column("SELECT id FROM contact WHERE organization_id = $1 AND attributes @> '{\"third\": "
                                     "true}' ORDER BY " +
                                         std::string(by_name ? "lower(name) DESC, id DESC" : "id DESC") +
                                         " LIMIT 20 OFFSET $2",
                                     {organization.text(), std::to_string(skip)}));
      namespace sql = contacts::contacts::sql;
      const auto& choose = sql::choose[{.by_attributes = true, .by_name = by_name, .descending = true}];
      const auto results = loop.run(replica.pool.slow(
          pg::Batch(choose, organization, std::optional<Uuid>(), std::optional<Uuid>(), std::string(),
                    std::vector<std::string>(), std::vector<ContactStatus>{ContactStatus::Active},
                    std::vector<std::string>{R"({"third": true})"}, std::vector<std::string>(), std::optional<Uuid>(),
                    std::string(), filter.paging.per_page, skip, std::vector<std::string>())));
      // How many there are is known where all are found.
      CHECK_EQ(results.one<contacts::contacts::ChosenRow>().total.has_value(), skip == 11'990);
    }
  }
}

TEST_CASE("search: an export passes over all contacts in short steps, and finds what plain SQL finds") {
  for (const auto& question : questions()) {
    INFO(question.where);
    contacts::contacts::Filter filter;
    question.ask(filter);
    crowd().loop.run(crowd().replica.contacts.find_tag(crowd().organization, filter));
    std::vector<std::string> exported;
    std::optional<Uuid> after;
    int steps = 0;
    do {
      const auto step = crowd().loop.run(crowd().replica.contacts.export_step(crowd().organization, filter, after));
      for (const auto& row : step.rows) exported.push_back(row.uniqueId.text());
      after = step.end;
    } while (after && ++steps < 20);
    CHECK_EQ(exported, by_sql(question.where, "id"));
  }
}

TEST_CASE("search: a step of an export is not longer than it may be, and with the next ones tells each contact once") {
  Database database;
  const auto organization = model::new_uuid();
  database.sql().rows(
      "INSERT INTO contact (organization_id, id, name, attributes) SELECT $1, md5(n::text)::uuid, 'Ada ' || n, "
      "jsonb_build_object('long', repeat('x', CASE WHEN n % 500 < 100 THEN 16000 ELSE 1 END)) "
      "FROM generate_series(1, 1500) n",
      {organization.text()});
  Loop loop(patient(database.settings()));
  Replica replica(loop, patient(database.settings()), std::string(kRedisAway));
  std::vector<std::string> exported;
  std::optional<Uuid> after;
  int cut = 0;
  do {
    const auto step = loop.run(replica.contacts.export_step(organization, {}, after));
    std::size_t octets = 0;
    for (const auto& row : step.rows) {
      exported.push_back(row.uniqueId.text());
      octets += row.attributes.text.size();
    }
    CHECK(octets < (1 << 20) + 17'000);
    CHECK_EQ(step.cut, octets > 1 << 20);
    cut += step.cut;
    after = step.end;
  } while (after);
  CHECK(cut > 2);
  CHECK_EQ(exported, database.sql().column("SELECT id FROM contact WHERE organization_id = $1 ORDER BY id",
                                           {organization.text()}));
}

TEST_CASE("search: more searches at once than there are connections wait for each other") {
  auto& [database, organization, list, loop, replica] = crowd();
  int answered = 0;
  for (int i = 0; i < 300; ++i)
    loop.launch([](Crowd& of, int number, int& count) -> awaitable<void> {
      Filter filter;
      filter.search = "Ada " + std::to_string(number % 40);
      const auto page = co_await of.replica.contacts.list(of.organization, filter);
      CHECK(page.total > 0);
      ++count;
    }(crowd(), i, answered));
  loop.finish();
  CHECK_EQ(answered, 300);
}
