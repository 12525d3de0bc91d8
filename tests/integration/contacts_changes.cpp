// Contacts made, changed and deleted, one by one and by many at once: what is answered is what the tables hold, what is
// refused leaves nothing, and the tallies stay what counting gives.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "common/http/problem.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
using contacts::contacts::Changes;
using contacts::contacts::PageContact;

namespace {

constexpr std::string_view kRedisAway = "redis://127.0.0.1:1/0";

Changes contact(std::string name, std::string phone, std::vector<Uuid> lists = {}, std::vector<std::string> tags = {},
                std::string pointer = "") {
  Changes changes;
  changes.pointer = std::move(pointer);
  changes.name = std::move(name);
  changes.phone = std::move(phone);
  changes.lists = std::move(lists);
  changes.tags = std::move(tags);
  return changes;
}

struct Bed {
  Bed() : loop(patient(database.settings())), replica(loop, patient(database.settings()), std::string(kRedisAway)) {}

  std::vector<PageContact> create(std::vector<Changes> all) {
    return loop.run(transact(replica.pool, [&](pg::Transaction& transaction) {
      return replica.contacts.create(transaction, organization, all);
    }));
  }
  PageContact update(const Uuid& id, const Changes& changes) {
    return loop.run(transact(replica.pool, [&](pg::Transaction& transaction) -> awaitable<PageContact> {
      const auto found = co_await replica.contacts.lock(transaction, organization, id);
      REQUIRE(found);
      co_return co_await replica.contacts.update(transaction, organization, id, changes);
    }));
  }
  bool remove(const Uuid& id) {
    return loop.run(transact(replica.pool, [&](pg::Transaction& transaction) -> awaitable<bool> {
      const bool found = (co_await replica.contacts.lock_to_delete(transaction, organization, id)).has_value();
      if (found) co_await replica.contacts.remove(transaction, organization, id);
      co_return found;
    }));
  }
  Contact found(const Uuid& id) {
    return read_back(
        loop.run(replica.contacts.found(organization, id, replica.contacts.start_find(organization, id))).value());
  }
  std::int64_t total() {
    Filter filter;
    return loop.run(replica.contacts.list(organization, filter)).total;
  }

  Database database;
  Uuid organization = model::new_uuid();
  Loop loop;
  Replica replica;
};

http::Problem problem_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const http::Problem& problem) {
    return problem;
  }
  FAIL("nothing was thrown");
  return {};
}

// As it is found later.
void check_same(Bed& bed, const PageContact& told) {
  CHECK_EQ(model::to_json(read_back(told)), model::to_json(bed.found(told.uniqueId)));
}

}  // namespace

TEST_CASE("contacts: several made at once are in order, in their lists, with their tags, and told as they are found") {
  Bed bed;
  const auto first = bed.database.add_list(bed.organization, "first");
  const auto second = bed.database.add_list(bed.organization, "second");
  const auto vip = bed.database.add_tag(bed.organization, "vip");
  auto ada = contact("Ada", "+4916000001", {second, first, second}, {"VIP", "new", vip.text(), "New"});
  ada.attributes = model::RawJson{R"({"n": null})"};
  ada.status = ContactStatus::OptedOut;
  const auto made = bed.create({ada, contact("Bob", "+4916000000", {first}), contact("Cy", "+4916000002")});

  REQUIRE_EQ(made.size(), 3);
  for (const auto& told : made) check_same(bed, told);
  CHECK(std::is_sorted(made.begin(), made.end(), [](auto& a, auto& b) { return a.uniqueId < b.uniqueId; }));
  const auto told = read_back(made[0]);
  CHECK_EQ(told.name, "Ada");
  CHECK_EQ(told.attributes.text, R"({"n": null})");
  CHECK_EQ(told.status, ContactStatus::OptedOut);
  REQUIRE_EQ(told.lists.size(), 2);
  CHECK_EQ(told.lists[0].uniqueId, first);
  CHECK_EQ(told.lists[0].numberOfContacts, 2);
  REQUIRE_EQ(told.tags.size(), 2);
  CHECK_EQ(told.tags[0].label, "vip");
  CHECK_EQ(made[2].status, ContactStatus::Active);
  CHECK_EQ(made[2].attributes.text, "{}");
  CHECK_EQ(bed.total(), 3);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("contacts: what cannot be made is named by its place, and nothing is done") {
  Bed bed;
  const auto list = bed.database.add_list(bed.organization, "list");
  const auto foreign = bed.database.add_list(model::new_uuid(), "another organization's");
  const auto there = bed.create({contact("Ada", "+4916000001")}).front().uniqueId;
  bed.database.add_contact(model::new_uuid(), "Ada elsewhere", "+4916000009");
  const auto before = bed.database.row_counts();

  const auto taken = problem_of([&] {
    bed.create({contact("Bob", "+4916000009", {list}, {"new"}, "/0"), contact("Cy", "+4916000001", {}, {}, "/1")});
  });
  CHECK_EQ(taken.status, 409);
  REQUIRE_EQ(taken.errors.size(), 1);
  CHECK_EQ(taken.errors[0].pointer, "/1/phone");
  CHECK(taken.errors[0].detail.find(there.text()) != std::string::npos);

  const auto missing = problem_of(
      [&] { bed.create({contact("Bob", "+4916000009", {list, foreign, model::new_uuid()}, {"new"}, "/7")}); });
  CHECK_EQ(missing.status, 400);
  REQUIRE_EQ(missing.errors.size(), 2);
  CHECK_EQ(missing.errors[0].pointer, "/7/lists/1");
  CHECK_EQ(missing.errors[1].pointer, "/7/lists/2");
  CHECK_EQ(bed.database.row_counts(), before);
}

TEST_CASE("contacts: a change keeps what it leaves out and replaces what it gives") {
  Bed bed;
  std::vector<Uuid> lists;
  for (const char* name : {"one", "two", "three"}) lists.push_back(bed.database.add_list(bed.organization, name));
  const auto id = bed.create({contact("Ada", "+4916000001", {lists[0], lists[1]}, {"a", "b"})}).front().uniqueId;
  bed.create({contact("Bob", "+4916000002", lists)});

  Changes changes;
  changes.name = "Ada Lovelace";
  auto told = read_back(bed.update(id, changes));
  CHECK_EQ(told.name, "Ada Lovelace");
  CHECK_EQ(told.phone, "+4916000001");
  CHECK_EQ(told.lists.size(), 2);
  CHECK_EQ(told.tags.size(), 2);

  changes = {};
  changes.lists = std::vector{lists[2], lists[1], lists[2]};
  changes.tags = std::vector<std::string>{"c", "B"};
  changes.attributes = model::RawJson{R"({"city": "Paris"})"};
  changes.status = ContactStatus::Blocked;
  changes.phone = "+4916000003";
  const auto all = bed.update(id, changes);
  check_same(bed, all);
  told = read_back(all);
  CHECK_EQ(told.name, "Ada Lovelace");
  CHECK_EQ(told.phone, "+4916000003");
  CHECK_EQ(told.status, ContactStatus::Blocked);
  CHECK_EQ(told.attributes.text, R"({"city": "Paris"})");
  REQUIRE_EQ(told.lists.size(), 2);
  CHECK_EQ(told.lists[0].uniqueId, lists[1]);
  CHECK_EQ(told.lists[1].numberOfContacts, 2);
  REQUIRE_EQ(told.tags.size(), 2);
  CHECK_EQ(told.tags[0].label + told.tags[1].label, "bc");

  check_same(bed, bed.update(id, {}));
  changes = {};
  changes.lists.emplace();
  changes.tags.emplace();
  told = read_back(bed.update(id, changes));
  CHECK(told.lists.empty());
  CHECK(told.tags.empty());
  CHECK_EQ(bed.database.drifted(), 0);

  changes = {};
  changes.phone = "+4916000002";
  changes.lists = lists;
  const auto taken = problem_of([&] { bed.update(id, changes); });
  CHECK_EQ(taken.status, 409);
  REQUIRE_EQ(taken.errors.size(), 1);
  CHECK_EQ(taken.errors[0].pointer, "/phone");
  changes = {};
  changes.phone = "+336123";
  changes.phone_fault = "is no telephone number";
  const auto refused = problem_of([&] { bed.update(id, changes); });
  CHECK_EQ(refused.status, 400);
  CHECK_EQ(refused.errors[0].pointer, "/phone");
  const auto told_by_channel = bed.database.add_contact(bed.organization, "Joan", "+336123");
  CHECK_EQ(read_back(bed.update(told_by_channel, changes)).phone, "+336123");
  changes.phone = "";
  CHECK_EQ(read_back(bed.update(bed.database.add_contact(bed.organization, "Ann"), changes)).phone, "");
  changes = {};
  changes.lists = std::vector{model::new_uuid()};
  CHECK_EQ(problem_of([&] { bed.update(id, changes); }).errors[0].pointer, "/lists/0");
  CHECK(bed.found(id).lists.empty());
}

TEST_CASE("contacts: deleted, one is gone with all that was its own, and that is told") {
  Bed bed;
  const auto list = bed.database.add_list(bed.organization, "list");
  const auto made = bed.create({contact("Ada", "+4916000001", {list}, {"a"}), contact("Bob", "+4916000002", {list})});
  CHECK(bed.remove(made[0].uniqueId));
  CHECK_FALSE(bed.remove(made[0].uniqueId));
  auto& sql = bed.database.sql();
  CHECK_EQ(bed.total(), 1);
  CHECK_EQ(sql.number("SELECT count(*) FROM membership"), 1);
  CHECK_EQ(sql.number("SELECT count(*) FROM contact_tag"), 0);
  CHECK_EQ(sql.number("SELECT count(*) FROM tag"), 1);
  CHECK_EQ(bed.database.drifted(), 0);
  CHECK_EQ(bed.create({contact("Ada again", "+4916000001")}).size(), 1);
}

namespace {

// Everything that writes contacts and memberships, at random and at once.
struct Race {
  Race(Bed& of, Replica& at) : bed(of), replica(at) {}

  std::string phone() { return "+491600" + std::to_string(1000 + random() % 30); }
  std::vector<Uuid> some_lists() {
    std::vector<Uuid> out;
    for (const auto& list : lists)
      if (random() % 3 == 0) out.push_back(list);
    return out;
  }
  Uuid any_contact() {
    const auto ids = bed.database.sql().column("SELECT id FROM contact ORDER BY random() LIMIT 1");
    return ids.empty() ? model::new_uuid() : *Uuid::parse(ids[0]);
  }

  awaitable<bool> change(pg::Transaction& transaction) {
    const auto& organization = bed.organization;
    switch (random() % 6) {
      case 0:
      case 1: {
        std::vector<Changes> all;
        for (auto i = random() % 4; i < 4; ++i)
          all.push_back(
              contact("Ada", "+491600" + std::to_string(1000 + (random() % 8) * 4 + i), some_lists(), {"a", "b"}));
        co_await replica.contacts.create(transaction, organization, all);
        break;
      }
      case 2:
      case 3: {
        const auto id = any_contact();
        const auto found = co_await replica.contacts.lock(transaction, organization, id);
        if (!found) break;
        Changes changes;
        changes.lists = some_lists();
        changes.tags = std::vector<std::string>{random() % 2 ? "b" : "c"};
        if (random() % 3 == 0) changes.phone = phone();
        changes.status = random() % 2 ? ContactStatus::Blocked : ContactStatus::Active;
        co_await replica.contacts.update(transaction, organization, id, changes);
        break;
      }
      case 4: {
        const auto id = any_contact();
        const bool found = (co_await replica.contacts.lock_to_delete(transaction, organization, id)).has_value();
        if (found) co_await replica.contacts.remove(transaction, organization, id);
        break;
      }
      default: {
        const auto& list = lists[random() % lists.size()];
        const auto name = co_await replica.lists.lock(transaction, organization, list);
        if (!name) break;
        contacts::lists::MemberChanges changes;
        changes.add = {any_contact(), any_contact()};
        changes.remove = {any_contact()};
        for (auto* ids : {&changes.add, &changes.remove}) std::sort(ids->begin(), ids->end());
        std::erase_if(changes.add, [&](auto& id) { return id == changes.remove[0]; });
        changes.add.erase(std::unique(changes.add.begin(), changes.add.end()), changes.add.end());
        co_await replica.lists.change_members(transaction, organization, list, changes);
      }
    }
    co_return true;
  }

  // What others did meanwhile may refuse it; a deadlock's victim is tried again, as for requests.
  awaitable<void> work(int times) {
    for (int i = 0; i < times; ++i) {
      std::exception_ptr error;
      try {
        co_await transact(replica.pool, [this](pg::Transaction& transaction) { return change(transaction); });
        ++done;
      } catch (const http::Problem& problem) {
        CHECK(problem.status < 500);
        ++refused;
      } catch (const pg::SqlError& sql) {
        if (!sql.is_retryable()) error = std::current_exception();
        ++deadlocks;
      }
      if (error) std::rethrow_exception(error);
    }
  }

  Bed& bed;
  Replica& replica;
  std::vector<Uuid> lists;
  std::mt19937 random{20260131};
  int done = 0, refused = 0, deadlocks = 0;
};

}  // namespace

TEST_CASE("contacts: creates, changes, deletions and changes of lists race, and every tally is what counting gives") {
  Bed bed;
  Replica other(bed.loop, patient(bed.database.settings()), std::string(kRedisAway));
  Race here(bed, bed.replica), there(bed, other);
  for (const char* name : {"one", "two", "three", "four"})
    here.lists.push_back(bed.database.add_list(bed.organization, name));
  there.lists = here.lists;
  there.random.seed(7);
  for (int i = 0; i < 6; ++i) {
    bed.loop.launch(here.work(40));
    bed.loop.launch(there.work(40));
  }
  bed.loop.finish();
  MESSAGE((here.done + there.done) << " done, " << (here.refused + there.refused) << " refused, "
                                   << (here.deadlocks + there.deadlocks) << " deadlocks");
  CHECK(here.done + there.done > 200);
  CHECK_EQ(bed.database.drifted(), 0);
  CHECK_EQ(bed.total(), bed.database.sql().number("SELECT count(*) FROM contact"));
}
