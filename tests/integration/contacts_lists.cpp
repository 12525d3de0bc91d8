// Creating lists: with many contacts, with contacts that are not there, with tags that many make at once.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include "common/events/outbox/sql.hpp"
#include "common/http/problem.hpp"
#include "contacts/lists/sql.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using parley::contacts::lists::NewList;

namespace {

constexpr std::string_view kRedisAway = "redis://127.0.0.1:1/0";

struct Bed {
  Database database;
  Uuid organization = model::new_uuid(), other = model::new_uuid();
  Loop loop{patient(database.settings())};
  Replica a{loop, patient(database.settings()), std::string(kRedisAway)};
  Replica b{loop, patient(database.settings()), std::string(kRedisAway)};

  model::List create(const std::string& name, std::vector<std::string> tags = {}, std::vector<Uuid> contacts = {}) {
    std::sort(contacts.begin(), contacts.end());
    return loop.run(create_list(a, organization, NewList{name, "", std::move(tags), std::move(contacts)}));
  }
  http::Problem refused(std::vector<std::string> tags, std::vector<Uuid> contacts) {
    const auto before = database.row_counts();
    http::Problem problem;
    try {
      create("refused", std::move(tags), std::move(contacts));
    } catch (const http::Problem& caught) {
      problem = caught;
    }
    CHECK_EQ(database.row_counts(), before);
    return problem;
  }
  std::int64_t members(const Uuid& list) {
    return database.sql().number("SELECT count(*) FROM membership WHERE organization_id = $1 AND list_id = $2",
                                 {organization.text(), list.text()});
  }
  std::vector<std::string> labels(const model::List& list) {
    std::vector<std::string> out;
    for (const auto& tag : list.tags) out.push_back(tag.label);
    std::sort(out.begin(), out.end());
    return out;
  }
};

bool names(const http::Problem& problem, const Uuid& id) {
  return std::any_of(problem.errors.begin(), problem.errors.end(),
                     [&](const auto& fault) { return fault.detail.find(id.text()) != std::string::npos; });
}

}  // namespace

TEST_CASE("lists: 10,000 contacts become members in one transaction, and every count of them is true") {
  Bed bed;
  const auto contacts = bed.database.add_contacts(bed.organization, 10'000);
  const auto list = bed.create("everyone", {"big"}, contacts);
  CHECK_EQ(list.numberOfContacts, 10'000);
  CHECK_EQ(list.name, "everyone");
  CHECK_EQ(list.numberOfCampaignsSent, 0);
  CHECK_EQ(bed.labels(list), std::vector<std::string>{"big"});
  CHECK_EQ(bed.members(list.uniqueId), 10'000);
  CHECK_EQ(bed.database.sql().number("SELECT count(DISTINCT t) FROM (SELECT xmin::text FROM membership UNION ALL "
                                     "SELECT xmin::text FROM list UNION ALL "
                                     "SELECT xmin::text FROM list_tag UNION ALL SELECT xmin::text FROM tag UNION ALL "
                                     "SELECT xmin::text FROM tally WHERE list_id = $1) AS x(t)",
                                     {list.uniqueId.text()}),
           1);
  Filter filter;
  filter.list_id = list.uniqueId;
  const auto page = bed.loop.run(bed.b.contacts.list(bed.organization, filter));
  CHECK_EQ(page.total, 10'000);
  for (const auto& contact : page.contacts) {
    const auto lists = read_back(contact).lists;
    REQUIRE_EQ(lists.size(), 1);
    CHECK_EQ(lists[0].numberOfContacts, 10'000);
  }
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("lists: a contact that does not exist, or is another organization's, is named and nothing is done") {
  Bed bed;
  const auto own = bed.database.add_contacts(bed.organization, 50);
  const auto foreign = bed.database.add_contacts(bed.other, 3);
  const auto nowhere = model::new_uuid();

  auto ids = own;
  ids.push_back(nowhere);
  auto problem = bed.refused({"fresh label"}, ids);
  CHECK_EQ(problem.status, 400);
  CHECK_EQ(problem.errors.size(), 1);
  CHECK(names(problem, nowhere));
  CHECK(problem.detail.find(nowhere.text()) != std::string::npos);

  ids = own;
  ids.push_back(foreign[1]);
  const auto foreign_problem = bed.refused({}, ids);
  CHECK_EQ(foreign_problem.status, 400);
  CHECK(names(foreign_problem, foreign[1]));

  // Who asks cannot tell the two apart.
  const auto without = [](std::string text, const Uuid& id) {
    for (auto at = text.find(id.text()); at != text.npos; at = text.find(id.text())) text.replace(at, 36, "ID");
    return text;
  };
  CHECK_EQ(without(problem.detail, nowhere), without(foreign_problem.detail, foreign[1]));

  std::vector<Uuid> all_wrong = foreign;
  for (int i = 0; i < 10'000 - 3; ++i) all_wrong.push_back(model::new_uuid());
  const auto many = bed.refused({}, all_wrong);
  CHECK_EQ(many.status, 400);
  CHECK(many.errors.size() >= 1);
  CHECK(many.errors.size() <= 100);
}

TEST_CASE("lists: a restored database gives none of the versions again that it gave before") {
  Bed bed;
  const auto list = bed.create("Guests").uniqueId;
  const auto version = [&] { return bed.loop.run(bed.a.lists.find(bed.organization, list))->version; };
  const auto before = version();
  CHECK_EQ(version(), before);
  bed.loop.run([&]() -> awaitable<void> { co_await bed.a.pool.write(pg::Batch(events::outbox::begin_epoch)); }());
  CHECK_NE(version(), before);
}

TEST_CASE("lists: tags by id, by label and by both are the tags that there are, and only new labels make tags") {
  Bed bed;
  auto& sql = bed.database.sql();
  const auto vip = bed.database.add_tag(bed.organization, "VIP");
  const auto foreign = bed.database.add_tag(bed.other, "theirs");

  CHECK_EQ(bed.labels(bed.create("by id", {vip.text()})), std::vector<std::string>{"VIP"});
  std::string upper = vip.text();
  std::transform(upper.begin(), upper.end(), upper.begin(), ::toupper);
  CHECK_EQ(bed.labels(bed.create("by id in capitals", {upper})), std::vector<std::string>{"VIP"});
  CHECK_EQ(bed.labels(bed.create("by label in other case", {"vip"})), std::vector<std::string>{"VIP"});
  CHECK_EQ(bed.labels(bed.create("the same thrice", {"vip", vip.text(), "ViP"})), std::vector<std::string>{"VIP"});
  CHECK_EQ(sql.number("SELECT count(*) FROM tag"), 2);

  const auto mixed = bed.create("mixed", {"new", vip.text(), "Neu", "NEW", "Žluť", "žluť"});
  const auto labels = bed.labels(mixed);
  CHECK_EQ(labels.size(), 4);
  CHECK_EQ(sql.number("SELECT count(*) FROM tag WHERE organization_id = $1", {bed.organization.text()}), 4);

  // Another organization's tag is one that is not there, and nothing is done.
  CHECK_THROWS_AS(bed.create("foreign id", {"fresh", foreign.text()}), http::Problem);
  CHECK_EQ(sql.number("SELECT count(*) FROM tag WHERE organization_id = $1", {bed.organization.text()}), 4);
  CHECK_EQ(sql.number("SELECT count(*) FROM list WHERE name = 'foreign id'"), 0);
  CHECK_EQ(sql.value("SELECT label FROM tag WHERE organization_id = $1", {bed.other.text()}), "theirs");
  CHECK_EQ(sql.number("SELECT count(*) FROM list_tag x JOIN tag t ON t.id = x.tag_id "
                      "WHERE t.organization_id <> x.organization_id"),
           0);
}

TEST_CASE(
    "lists: many writers who make the same labels at once never wait for each other in a circle, and make each once") {
  Bed bed;
  std::vector<std::string> labels;
  for (int i = 0; i < 25; ++i) labels.push_back("label " + std::to_string(i));
  std::mt19937 random(7);
  std::vector<std::set<std::string>> wanted;
  std::vector<model::List> made(200);
  for (std::size_t i = 0; i < made.size(); ++i) {
    auto tags = labels;
    std::shuffle(tags.begin(), tags.end(), random);
    tags.resize(1 + random() % 20);
    std::set<std::string> lower(tags.begin(), tags.end());
    wanted.push_back(lower);
    for (auto& tag : tags)
      if (random() % 2) tag[0] = 'L';
    auto& replica = i % 2 ? bed.a : bed.b;
    bed.loop.launch([](Bed& bed, Replica& replica, std::vector<std::string> tags, model::List& out) -> awaitable<void> {
      out = co_await create_list(replica, bed.organization, NewList{"one of many", "", std::move(tags), {}});
    }(bed, replica, std::move(tags), made[i]));
  }
  bed.loop.finish();
  auto& sql = bed.database.sql();
  CHECK_EQ(sql.number("SELECT count(*) FROM tag"), sql.number("SELECT count(DISTINCT lower(label)) FROM tag"));
  CHECK_EQ(sql.number("SELECT count(*) FROM tag"), 25);
  CHECK_EQ(sql.number("SELECT count(*) FROM list"), 200);
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::set<std::string> got;
    for (const auto& tag : made[i].tags) got.insert("l" + tag.label.substr(1));
    CHECK_EQ(got, wanted[i]);
    CHECK_EQ(sql.number("SELECT count(*) FROM list_tag WHERE list_id = $1", {made[i].uniqueId.text()}),
             static_cast<std::int64_t>(wanted[i].size()));
  }
  CHECK_EQ(bed.database.drifted(), 0);
}

namespace {

// As a deletion has to do it: the row first, so that no list gains the contact meanwhile, then what it was a member of.
void delete_contact(Sql& sql, const Uuid& organization, const Uuid& id) {
  const auto o = organization.text();
  const auto& tally = contacts::lists::sql::add_to_tally.sql;
  sql.rows("BEGIN");
  sql.rows("SELECT 1 FROM contact WHERE organization_id = $1 AND id = $2 FOR UPDATE", {o, id.text()});
  const auto lists = sql.column(
      "SELECT list_id FROM membership WHERE organization_id = $1 AND contact_id = $2 ORDER BY 1", {o, id.text()});
  sql.rows("DELETE FROM contact WHERE organization_id = $1 AND id = $2", {o, id.text()});
  sql.rows(tally, {o, Uuid{}.text(), "0", "-1"});
  for (const auto& list : lists) sql.rows(tally, {o, list, "0", "-1"});
  sql.rows("COMMIT");
}

}  // namespace

TEST_CASE("lists: one made while a contact of it is deleted has it or is refused, and no tally is ever wrong") {
  Bed bed;
  int made = 0, refused = 0;
  for (int round = 0; round < 60; ++round) {
    const auto contacts = bed.database.add_contacts(bed.organization, 20);
    const auto victim = contacts[static_cast<std::size_t>(round) % contacts.size()];
    // The deletion blocks, so it has a thread of its own.
    std::thread deletion([&] {
      Sql sql(bed.database.url());
      if (round % 3 == 1) std::this_thread::sleep_for(std::chrono::microseconds(200 * (round % 10)));
      delete_contact(sql, bed.organization, victim);
    });
    for (int i = 0; i < 6; ++i)
      bed.loop.launch([](Bed& bed, int i, std::vector<Uuid> contacts, Uuid victim, int& made,
                         int& refused) -> awaitable<void> {
        std::optional<http::Problem> problem;
        model::List list;
        co_await pause_for(std::chrono::microseconds(300 * i));
        try {
          list = co_await create_list(i % 2 ? bed.a : bed.b, bed.organization, NewList{"racing", "", {"t"}, contacts});
        } catch (const http::Problem& caught) {
          problem = caught;
        }
        if (!problem) {
          ++made;
          CHECK_EQ(list.numberOfContacts, 20);
        } else {
          ++refused;
          CHECK_EQ(problem->status, 400);
          CHECK(names(*problem, victim));
          CHECK_EQ(problem->errors.size(), 1);
        }
      }(bed, i, contacts, victim, made, refused));
    bed.loop.finish();
    deletion.join();
    REQUIRE_EQ(bed.database.drifted(), 0);
    CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM membership WHERE contact_id = $1", {victim.text()}), 0);
  }
  CHECK_EQ(made + refused, 360);
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM list"), made);
  MESSAGE("made " << made << ", refused " << refused);
}
