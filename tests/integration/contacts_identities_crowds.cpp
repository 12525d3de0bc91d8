// Many at once: what the channel tells of people, beside all others who change contacts.
#include <random>
#include <set>

#include "contacts/identities/store.hpp"
#include "contacts/imports/sql.hpp"
#include "contacts/lists/tally.hpp"
#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace identities = parley::contacts::identities;
using identities::Person;
using People = std::vector<Person>;

namespace {

struct Bed : Collections {
  identities::Store stores[2]{identities::Store(a.pool), identities::Store(b.pool)};

  void resolve_beside(int replica, People asked, std::vector<identities::ResolvedContact>* out = nullptr) {
    loop.launch(
        [](Bed& bed, int replica, People asked, std::vector<identities::ResolvedContact>* out) -> awaitable<void> {
          auto found = co_await bed.stores[replica].resolve(bed.organization, std::move(asked));
          if (out) *out = std::move(found);
        }(*this, replica, std::move(asked), out));
  }
  std::int64_t deadlocks() {
    database.sql().rows("SELECT pg_stat_clear_snapshot()");
    return database.sql().number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
  }
};

struct MergedRow {
  Uuid id;
  std::string phone;
};
BOOST_DESCRIBE_STRUCT(MergedRow, (), (id, phone))

std::string number(int n) { return "+4917" + std::to_string(10'000 + n); }
std::string user(int n) { return "DE." + std::to_string(n); }

}  // namespace

TEST_CASE("people, crowds: 50 equal calls on two replicas make each stranger once") {
  Bed bed;
  People asked;
  for (int n = 0; n < 20; ++n) asked.push_back({number(n), n % 2 ? std::optional(user(n)) : std::nullopt, {}, {}});
  std::vector<std::vector<identities::ResolvedContact>> found(50);
  for (int i = 0; i < 50; ++i) bed.resolve_beside(i % 2, asked, &found[static_cast<std::size_t>(i)]);
  bed.loop.finish();
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM contact"), 20);
  std::size_t created = 0;
  for (const auto& each : found)
    for (std::size_t n = 0; n < asked.size(); ++n) {
      CHECK_EQ(each[n].contactId, found[0][n].contactId);
      created += each[n].created;
    }
  CHECK_EQ(created, 20);
  CHECK_EQ(bed.database.drifted(), 0);
  CHECK_EQ(bed.database.sql().number(
               "SELECT count(*) FROM outbox, jsonb_array_elements(changes) c, jsonb_array_elements(c -> 'contactIds')"),
           20);
}

TEST_CASE("people, crowds: crossing calls learn, move and merge beside lists, imports, changes and deletions") {
  Bed bed;
  std::mt19937 random(20260301);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most - 1)(random); };
  constexpr int kPeople = 12;
  // Each knows the same people by their numbers, their channel ids or both, or by those that they had before.
  const auto crowd = [&] {
    People asked;
    for (int i = 0; i < 8; ++i) {
      const int n = pick(kPeople);
      const std::optional<std::string> none, its_number = number(n), its_user = user(n), old_user = user(n + kPeople);
      const std::vector<Person> ways{{its_number, none, {}, {}},
                                     {none, its_user, {}, {}},
                                     {its_number, its_user, {}, {}},
                                     {its_number, its_user, {}, number(n + kPeople), old_user},
                                     {none, old_user, {}, {}}};
      asked.push_back(ways[static_cast<std::size_t>(pick(static_cast<int>(ways.size())))]);
    }
    return asked;
  };
  int refused = 0;
  const auto attempt = [](awaitable<void> work, int& refused) -> awaitable<void> {
    try {
      co_await std::move(work);
    } catch (const http::Problem&) {
      ++refused;  // a contact is gone, or its number taken
    }
  };
  // As an import's batch does it: in the order of numbers, and anew should the server have found a deadlock. Where a
  // machine is slow enough for a batch to wait the second after which the server looks, it may: before the call that it
  // crosses gives way.
  int again = 0;
  const auto batch = [](Bed& bed, const std::vector<std::string>& phones) -> awaitable<void> {
    std::vector<Uuid> ids(phones.size());
    for (auto& id : ids) id = model::new_uuid();
    const std::vector<std::string> names(phones.size(), "imported"), attributes(phones.size(), "{}");
    auto transaction = co_await bed.a.pool.begin();
    const auto merged = co_await transaction.run(pg::Batch(contacts::imports::sql::merge_contacts, bed.organization,
                                                           ids, names, phones, attributes, std::int64_t{16384}));
    std::int64_t made = 0;
    for (const auto& row : merged.rows<MergedRow>()) made += std::ranges::count(ids, row.id);
    co_await pause_for(2ms);  // its lists and tags
    pg::Batch last;
    contacts::lists::add_to_tallies(last, bed.organization, made);
    co_await transaction.commit(std::move(last));
  };
  const auto import = [](Bed& bed, std::vector<std::string> phones, auto& batch, int& again) -> awaitable<void> {
    for (;; ++again) {
      try {
        co_return co_await batch(bed, phones);
      } catch (const pg::SqlError& error) {
        if (!error.is_retryable()) throw;
      }
    }
  };
  const auto change = [](Bed& bed, Uuid list, std::vector<Uuid> contacts) -> awaitable<void> {
    co_await bed.change(bed.b, list, {contacts, {}});
  };
  const auto remove = [](Bed& bed, Uuid id) -> awaitable<void> {
    auto transaction = co_await bed.a.pool.begin();
    const auto there = co_await bed.a.contacts.lock_to_delete(transaction, bed.organization, id);
    if (!there) co_return;
    co_await bed.a.contacts.remove(transaction, bed.organization, id);
    co_await transaction.commit();
  };
  const auto list = bed.create("list").uniqueId;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 50; ++i) bed.resolve_beside(i % 2, crowd());
    for (int i = 0; i < 4; ++i) {
      std::set<std::string> phones;
      for (int n = 0; n < 10; ++n) phones.insert(number(pick(2 * kPeople)));
      bed.loop.launch(import(bed, {phones.begin(), phones.end()}, batch, again));
    }
    const auto ids = bed.database.sql().column("SELECT id FROM contact ORDER BY random()");
    std::vector<Uuid> known;
    for (const auto& id : ids) known.push_back(*Uuid::parse(id));
    if (!known.empty()) bed.loop.launch(attempt(remove(bed, known.front()), refused));
    for (std::size_t i = 2; i < known.size(); i += 2)
      bed.loop.launch(attempt(change(bed, list, {known[i - 1], known[i]}), refused));
    bed.loop.finish();
    REQUIRE_EQ(bed.database.drifted(), 0);
  }
  CHECK_EQ(bed.deadlocks(), again);  // nobody else ever meets one
  // Everybody is one contact in the end.
  People all;
  for (int n = 0; n < kPeople; ++n) all.push_back({number(n), user(n), {}, number(n + kPeople), user(n + kPeople)});
  for (const auto& each : bed.loop.run(bed.stores[0].resolve(bed.organization, all)))
    CHECK_FALSE(each.contactId.is_nil());
  CHECK_EQ(bed.database.sql().number("SELECT count(*) FROM contact"), kPeople);
  CHECK_EQ(bed.database.drifted(), 0);
  MESSAGE(refused << " changes refused");
}

TEST_CASE("people, lists: a long list is read to its end, most of it where it holds up nobody's short reads") {
  Bed bed;
  auto contacts = bed.database.add_contacts(bed.organization, 2'500);
  const auto list =
      bed.loop.run(create_list(bed.a, bed.organization, lists::NewList{"all", "", {}, contacts})).uniqueId;
  std::sort(contacts.begin(), contacts.end());
  const auto members = [&](Uuid after, std::int64_t most) {
    return bed.loop.run(bed.stores[0].members(bed.organization, list, after, most));
  };
  const auto slow = [&] { return bed.a.pool.stats(pg::Lane::slow).statements; };
  const auto before = slow();
  CHECK_EQ(members({}, 1'000), std::vector(contacts.begin(), contacts.begin() + 1'000));
  CHECK_EQ(slow(), before);
  CHECK_EQ(members({}, 2'001), std::vector(contacts.begin(), contacts.begin() + 2'001));
  CHECK_EQ(slow(), before + 1);
  CHECK_EQ(members(contacts[2'000], 2'001), std::vector(contacts.begin() + 2'001, contacts.end()));
  CHECK_EQ(slow(), before + 2);
  CHECK_EQ(members({}, 10'001), contacts);
  CHECK_EQ(members(contacts.back(), 10'001), std::vector<Uuid>{});
}
