// Contacts as the channel tells of them: found, made, completed, moved and merged.
#include <algorithm>
#include <set>

#include "contacts/identities/store.hpp"
#include "tests/integration/contacts_collections_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace identities = parley::contacts::identities;
using identities::Person;
using People = std::vector<Person>;

namespace {

struct Bed : Collections {
  identities::Store store{a.pool}, other_store{b.pool};

  std::vector<identities::ResolvedContact> resolve(const People& asked) {
    return loop.run(store.resolve(organization, asked));
  }
  identities::ResolvedContact one(const Person& person) { return resolve({person}).at(0); }
  std::string value(const std::string& column, const Uuid& id) {
    return database.sql().value("SELECT " + column + "::text FROM contact WHERE organization_id = $1 AND id = $2",
                                {organization.text(), id.text()});
  }
  std::int64_t count(const std::string& what) { return database.sql().number("SELECT count(*) FROM " + what); }
  // The types of what was told, in its order, and no more of it from now on.
  std::string told() {
    const auto out = database.sql().value(
        "SELECT coalesce(string_agg(c ->> 'type', ' ' ORDER BY o.id, n), '') FROM outbox o, "
        "jsonb_array_elements(changes) WITH ORDINALITY AS e (c, n)");
    database.sql().rows("DELETE FROM outbox");
    return out;
  }
};

Person by_phone(std::string phone) { return {std::move(phone), {}, {}, {}}; }
Person by_user(std::string user) { return {{}, std::move(user), {}, {}}; }
Person by_both(std::string phone, std::string user) { return {std::move(phone), std::move(user), {}, {}}; }
Person moved(std::string to, std::string from) { return {std::move(to), {}, {}, std::move(from)}; }

Person renamed(std::string to, std::string from) { return {{}, std::move(to), {}, {}, std::move(from)}; }

}  // namespace

TEST_CASE("people: strangers become contacts once, in the order asked") {
  Bed bed;
  const auto first = bed.resolve({{"+491701", {}, "Ada", {}},
                                  by_user("DE.7"),
                                  by_phone("+491701"),
                                  {"+491702", "DE.2", "", {}},
                                  by_user("DE.2"),
                                  by_phone("+491703")});
  REQUIRE_EQ(first.size(), 6);
  CHECK_EQ(first[0].contactId, first[2].contactId);
  CHECK_EQ(first[3].contactId, first[4].contactId);
  CHECK_EQ(bed.count("contact"), 4);
  CHECK_EQ(bed.value("name", first[0].contactId), "Ada");
  CHECK_EQ(bed.value("name", first[1].contactId), "DE.7");
  CHECK_EQ(bed.value("name", first[5].contactId), "+491703");
  for (const auto& each : first) {
    CHECK(each.created);
    CHECK_EQ(each.status, ContactStatus::Active);
  }
  CHECK_EQ(bed.told(), "contact.created");
  CHECK_EQ(bed.database.drifted(), 0);

  const auto before = bed.database.row_counts();
  const auto again = bed.resolve({by_phone("+491701"), by_user("DE.7"), by_both("+491702", "DE.2")});
  CHECK_EQ(again[0].contactId, first[0].contactId);
  CHECK_EQ(again[1].contactId, first[1].contactId);
  CHECK_EQ(again[2].contactId, first[3].contactId);
  for (const auto& each : again) CHECK_FALSE(each.created);
  CHECK_EQ(bed.database.row_counts(), before);
  CHECK(bed.resolve({}).empty());
}

TEST_CASE("people: who writes becomes a contact beyond the quota, too, and what it reached is told once") {
  Bed bed;
  const chassis::Quotas quotas({{"contacts", 5, 2}});
  identities::Store store(bed.a.pool, quotas);
  const auto write = [&](const std::string& phone) {
    bed.loop.run(store.resolve(bed.organization, {by_phone(phone)}));
  };
  for (const auto* phone : {"+491701", "+491702", "+491703"}) write(phone);
  CHECK(bed.told().find("quota") == std::string::npos);
  for (const auto* phone : {"+491704", "+491705", "+491706"}) write(phone);
  CHECK_EQ(bed.count("contact"), 6);
  CHECK_EQ(bed.told(), "quota.reached contact.created quota.reached contact.created contact.created");
  CHECK_EQ(bed.database.sql().value("SELECT string_agg(concat_ws(' ', name, percent), ',') FROM quota_level"),
           "contacts 100");
}

TEST_CASE("people: contacts of another organization are others") {
  Bed bed;
  const auto theirs = bed.loop.run(bed.store.resolve(bed.other, {by_both("+491701", "DE.1")})).at(0);
  const auto ours = bed.one(by_both("+491701", "DE.1"));
  CHECK(ours.created);
  CHECK_NE(ours.contactId, theirs.contactId);
  CHECK_EQ(bed.loop.run(bed.store.addresses(bed.organization, {theirs.contactId, ours.contactId})).size(), 1);
}

TEST_CASE("people: a number and a channel id are learned, and a placeholder name goes") {
  Bed bed;
  const auto known = bed.database.add_contact(bed.organization, "Grace", "+491701", "Blocked");
  auto found = bed.one({"+491701", "DE.1", "Profile", {}});
  CHECK_EQ(found.contactId, known);
  CHECK_EQ(found.status, ContactStatus::Blocked);
  CHECK_FALSE(found.created);
  CHECK_EQ(bed.value("channel_user_id", known), "DE.1");
  CHECK_EQ(bed.value("name", known), "Grace");
  CHECK_EQ(bed.told(), "contact.updated");

  const auto hidden = bed.one(by_user("DE.2"));
  bed.told();
  found = bed.one({"+491702", "DE.2", "Alan", {}});
  CHECK_EQ(found.contactId, hidden.contactId);
  CHECK_EQ(bed.value("phone", hidden.contactId), "+491702");
  CHECK_EQ(bed.value("name", hidden.contactId), "Alan");
  CHECK_EQ(bed.told(), "contact.updated");
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("people: a number that moved takes its contact along, also when asked again") {
  Bed bed;
  const auto old = bed.one(by_phone("+491701"));
  for (int i = 0; i < 2; ++i) CHECK_EQ(bed.one(moved("+491709", "+491701")).contactId, old.contactId);
  CHECK_EQ(bed.value("phone", old.contactId), "+491709");
  CHECK_EQ(bed.value("name", old.contactId), "+491709");
  CHECK_EQ(bed.count("contact"), 1);

  // In one batch with what was said before and after.
  const auto batch = bed.resolve({by_phone("+491705"), moved("+491706", "+491705"), by_phone("+491706")});
  CHECK_EQ(batch[0].contactId, batch[1].contactId);
  CHECK_EQ(batch[1].contactId, batch[2].contactId);
  const auto again = bed.resolve({by_phone("+491705"), moved("+491706", "+491705"), by_phone("+491706")});
  for (const auto& each : again) CHECK_EQ(each.contactId, batch[0].contactId);
  CHECK_EQ(bed.count("contact"), 2);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("people: a channel id that changed takes its contact along, in any order and also when asked again") {
  Bed bed;
  const auto old = bed.one(by_both("+491701", "DE.1")).contactId;
  for (int i = 0; i < 2; ++i) CHECK_EQ(bed.one(renamed("DE.2", "DE.1")).contactId, old);
  CHECK_EQ(bed.value("channel_user_id", old), "DE.2");
  CHECK_EQ(bed.value("phone", old), "+491701");
  CHECK_EQ(bed.count("contact"), 1);

  // In one batch with what was said before and after.
  const People batch{by_user("DE.5"), renamed("DE.6", "DE.5"), by_user("DE.6")};
  const auto first = bed.resolve(batch).at(0).contactId;
  for (int i = 0; i < 2; ++i)
    for (const auto& each : bed.resolve(batch)) CHECK_EQ(each.contactId, first);
  CHECK_EQ(bed.count("contact"), 2);

  // Whoever wrote under the new id before the change came is the same person, who stays opted out.
  const auto silent = bed.one(by_user("DE.7")).contactId;
  bed.database.sql().rows("UPDATE contact SET status = 'OptedOut', status_at = now() WHERE id = $1", {silent.text()});
  const auto early = bed.one(by_both("+491708", "DE.8")).contactId;
  bed.told();
  for (int i = 0; i < 2; ++i) {
    const auto found = bed.one(renamed("DE.8", "DE.7"));
    CHECK_EQ(found.contactId, early);  // has a number
    CHECK_EQ(found.status, ContactStatus::OptedOut);
  }
  CHECK_EQ(bed.told(), "contact.merged contact.status contact.updated");
  CHECK_EQ(bed.count("contact WHERE id = '" + silent.text() + "'"), 0);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("people: an id that was given up finds its contact, and the present one stays") {
  Bed bed;
  const auto old = bed.one(by_user("DE.1")).contactId;
  bed.one(renamed("DE.2", "DE.1"));
  bed.one(renamed("DE.3", "DE.2"));
  bed.told();
  const auto before = bed.database.row_counts();
  for (const auto& late : {by_user("DE.1"), by_user("DE.2"), renamed("DE.2", "DE.1"), renamed("DE.3", "DE.2")})
    CHECK_EQ(bed.one(late).contactId, old);
  CHECK_EQ(bed.told(), "");
  CHECK_EQ(bed.database.row_counts(), before);
  CHECK_EQ(bed.value("channel_user_id", old), "DE.3");

  // With numbers: the contact's own, one that nobody has, and one that is somebody else's by now.
  CHECK_EQ(bed.one(by_both("+491701", "DE.2")).contactId, old);
  const auto other = bed.one(by_phone("+491709")).contactId;
  CHECK_EQ(bed.one(by_both("+491702", "DE.1")).contactId, old);
  CHECK_EQ(bed.one(by_both("+491709", "DE.1")).contactId, other);
  CHECK_EQ(bed.one({"+491709", "DE.2", {}, {}, "DE.1"}).contactId, other);
  CHECK_EQ(bed.value("phone || channel_user_id", old), "+491701DE.3");
  CHECK_EQ(bed.value("coalesce(channel_user_id, 'none')", other), "none");

  // A way back, as the channel tells of it; and an id that goes to the contact of another number, with those before it.
  CHECK_EQ(bed.one(renamed("DE.2", "DE.3")).contactId, old);
  CHECK_EQ(bed.value("channel_user_id", old), "DE.2");
  CHECK_EQ(bed.one(by_both("+491709", "DE.2")).contactId, other);
  for (const auto* user : {"DE.1", "DE.2", "DE.3"}) CHECK_EQ(bed.one(by_user(user)).contactId, other);
  CHECK_EQ(bed.count("contact"), 2);
  CHECK_EQ(bed.database.drifted(), 0);

  bed.database.sql().rows("DELETE FROM contact WHERE id = $1", {other.text()});
  CHECK(bed.one(by_user("DE.1")).created);
}

TEST_CASE("people: whatever the order in which messages and changes of id come, a person is one contact") {
  Bed bed;
  std::vector<int> order{0, 1, 2, 3, 4};
  int number = 0;
  do {
    // Nobody's number is told, some are, and all come in one request.
    for (const unsigned with_phone : {0U, static_cast<unsigned>(number) % 32, 32U}) {
      const auto person = std::to_string(++number) + ".";
      const auto id = [&](int n) { return "DE." + person + std::to_string(n); };
      const People told{by_user(id(1)), by_user(id(2)), by_user(id(3)), renamed(id(2), id(1)), renamed(id(3), id(2))};
      People people;
      for (const auto n : order) {
        people.push_back(told[static_cast<std::size_t>(n)]);
        // The channel gives a new id when the number changes: each id has its own.
        if (with_phone >> n & 1U)
          people.back().phone = "+4917" + std::to_string(10'000 + number) + people.back().channelUserId->back();
      }
      if (with_phone == 32)
        bed.resolve(people);
      else
        for (const auto& each : people) bed.one(each);
      INFO("order " << order[0] << order[1] << order[2] << order[3] << order[4] << ", numbers " << with_phone);
      CHECK_EQ(bed.count("contact WHERE channel_user_id LIKE 'DE." + person + "%'"), 1);
      const auto contact = bed.one(by_user(id(3)));
      CHECK_FALSE(contact.created);
      CHECK_EQ(bed.value("channel_user_id", contact.contactId), id(3));
      for (const auto& each : bed.resolve(people)) CHECK_EQ(each.contactId, contact.contactId);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK_EQ(bed.count("contact"), number);
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("people: a number and an id that changed together; of two numbers that of the new id holds") {
  Bed bed;
  const auto old = bed.one(by_both("+491701", "DE.1")).contactId;
  const Person change{"+491702", "DE.2", {}, "+491701", "DE.1"};
  for (int i = 0; i < 2; ++i) CHECK_EQ(bed.one(change).contactId, old);
  CHECK_EQ(bed.value("phone || channel_user_id", old), "+491702DE.2");
  CHECK_EQ(bed.count("contact"), 1);

  bed.one(by_both("+491703", "DE.3"));
  CHECK_EQ(bed.one(renamed("DE.3", "DE.2")).contactId, old);
  CHECK_EQ(bed.value("phone || channel_user_id", old), "+491703DE.3");
  CHECK_EQ(bed.count("contact"), 1);

  // An id that another number's contact holds against the former number: numbers win.
  const auto other = bed.one(by_both("+491709", "DE.9")).contactId;
  CHECK_EQ(bed.one({"+491704", "DE.4", {}, "+491703", "DE.9"}).contactId, old);
  CHECK_EQ(bed.value("phone", other), "+491709");
  CHECK_EQ(bed.database.drifted(), 0);
}

TEST_CASE("people: two contacts that are one person are merged with all that they have") {
  Bed bed;
  auto& database = bed.database;
  const auto hidden = bed.one(by_user("DE.1")).contactId;
  const auto known =
      database.add_contact(bed.organization, "Grace", "+491701", "Active", R"({"city": "Bonn", "age": 3})");
  database.sql().rows("UPDATE contact SET attributes = '{\"city\": \"Rome\", \"shoe\": 42}' WHERE id = $1",
                      {hidden.text()});
  const auto shared = database.add_list(bed.organization, "shared", {hidden, known});
  const auto hers = database.add_list(bed.organization, "hers", {hidden});
  const auto doomed = bed.create("doomed", {}, {hidden}).uniqueId;
  bed.loop.run([](Bed& bed, Uuid id) -> awaitable<void> { co_await bed.remove_list(bed.a, id); }(bed, doomed));
  const auto vip = database.add_tag(bed.organization, "vip"), fan = database.add_tag(bed.organization, "fan");
  database.tag_contact(bed.organization, hidden, vip);
  database.tag_contact(bed.organization, hidden, fan);
  database.tag_contact(bed.organization, known, fan);
  bed.told();

  for (int i = 0; i < 2; ++i) CHECK_EQ(bed.one(by_both("+491701", "DE.1")).contactId, known);
  CHECK_EQ(bed.told(), "contact.merged contact.updated");
  CHECK_EQ(bed.count("contact"), 1);
  const auto contact = bed.contact(known);
  CHECK_EQ(contact.name, "Grace");
  CHECK_EQ(contact.attributes.text, R"({"age": 3, "city": "Bonn", "shoe": 42})");
  CHECK_EQ(contact.lists.size(), 2);
  CHECK_EQ(contact.tags.size(), 2);
  CHECK_EQ(bed.find(shared)->numberOfContacts, 1);
  CHECK_EQ(bed.find(hers)->numberOfContacts, 1);
  bed.sweep();
  CHECK_EQ(database.drifted(), 0);
}

TEST_CASE("people: attributes that are too many together stay the kept one's") {
  Bed bed;
  const auto hidden = bed.one(by_user("DE.1")).contactId;
  const auto known = bed.database.add_contact(bed.organization, "Grace", "+491701", "Active", R"({"a": 1})");
  bed.database.sql().rows("UPDATE contact SET attributes = jsonb_build_object('b', repeat('x', 16380)) WHERE id = $1",
                          {hidden.text()});
  CHECK_EQ(bed.one(by_both("+491701", "DE.1")).contactId, known);
  CHECK_EQ(bed.value("attributes", known), R"({"a": 1})");
}

TEST_CASE("people: of two statuses the newer holds, but blocked stays blocked") {
  const auto merge = [](const std::string& kept, const std::string& kept_at, const std::string& gone,
                        const std::string& gone_at) {
    Bed bed;
    const auto hidden = bed.one(by_user("DE.1")).contactId;
    const auto known = bed.database.add_contact(bed.organization, "Grace", "+491701");
    const auto set = [&](const Uuid& id, const std::string& status, const std::string& at) {
      bed.database.sql().rows("UPDATE contact SET status = $2, status_at = $3 WHERE id = $1", {id.text(), status, at});
    };
    set(known, kept, kept_at);
    set(hidden, gone, gone_at);
    bed.told();
    const auto found = bed.one(by_both("+491701", "DE.1"));
    CHECK_EQ(found.contactId, known);
    return std::string(model::name_of(found.status)) + ", " + bed.told();
  };
  const std::string never = "-infinity", early = "2026-01-01", late = "2026-02-01";
  CHECK_EQ(merge("Active", never, "Active", never), "Active, contact.merged contact.updated");
  const std::string told = ", contact.merged contact.status contact.updated";
  CHECK_EQ(merge("Active", never, "OptedOut", early), "OptedOut" + told);
  CHECK_EQ(merge("OptedOut", early, "Active", late), "Active" + told);
  CHECK_EQ(merge("OptedOut", late, "Active", early), "OptedOut" + told);
  CHECK_EQ(merge("Blocked", early, "Active", late), "Blocked" + told);
  CHECK_EQ(merge("Active", late, "Blocked", early), "Blocked" + told);
}

TEST_CASE("people: a channel id goes where the number is that came with it") {
  Bed bed;
  const auto first = bed.one(by_both("+491701", "DE.1")).contactId;
  const auto second = bed.one(by_phone("+491702")).contactId;
  CHECK_EQ(bed.one(by_both("+491702", "DE.1")).contactId, second);
  CHECK_EQ(bed.value("coalesce(channel_user_id, 'none')", first), "none");
  CHECK_EQ(bed.one(by_user("DE.1")).contactId, second);
  // Within a batch the last word holds, and it ends.
  const auto batch = bed.resolve({by_both("+491701", "DE.1"), by_both("+491702", "DE.1"), by_both("+491701", "DE.1")});
  CHECK_EQ(batch[0].contactId, first);
  CHECK_EQ(batch[1].contactId, second);
  CHECK_EQ(bed.value("channel_user_id", first), "DE.1");
}

TEST_CASE("people: addresses, and the ids that a list or a search has") {
  Bed bed;
  const auto hidden = bed.one(by_user("DE.1")).contactId;
  const auto known = bed.database.add_contact(bed.organization, "Grace Hopper", "+491701", "OptedOut");
  const auto rows = bed.loop.run(bed.store.addresses(bed.organization, {known, hidden, model::new_uuid()}));
  REQUIRE_EQ(rows.size(), 2);
  const auto& grace = rows[rows[1].id == known ? 1 : 0];
  CHECK_EQ(model::to_json(static_cast<const identities::Address&>(grace)),
           R"({"phone":"+491701","channelUserId":null,"status":"OptedOut","name":"Grace Hopper","statusAt":null})");

  auto members = bed.database.add_contacts(bed.organization, 25);
  const auto list = bed.database.add_list(bed.organization, "some", members);
  std::sort(members.begin(), members.end());
  std::vector<Uuid> seen;
  for (std::size_t n = 10; n == 10;) {
    const auto page = bed.loop.run(bed.store.members(bed.organization, list, seen.empty() ? Uuid{} : seen.back(), 10));
    seen.insert(seen.end(), page.begin(), page.end());
    n = page.size();
  }
  CHECK_EQ(seen, members);
  CHECK(bed.loop.run(bed.store.members(bed.other, list, {}, 10)).empty());
  bed.loop.run([](Bed& bed, Uuid id) -> awaitable<void> { co_await bed.remove_list(bed.a, id); }(bed, list));
  CHECK(bed.loop.run(bed.store.members(bed.organization, list, {}, 10)).empty());

  CHECK_EQ(bed.loop.run(bed.a.contacts.search(bed.organization, "hopp", 10)), std::vector{known});
  CHECK_EQ(bed.loop.run(bed.a.contacts.search(bed.organization, "contact", 10)).size(), 10);
  CHECK(bed.loop.run(bed.a.contacts.search(bed.organization, "nobody", 10)).empty());
}

TEST_CASE("people: tags by id and by label, each once") {
  Bed bed;
  const auto vip = bed.database.add_tag(bed.organization, "VIP");
  const auto resolve = [&](std::vector<std::string> names) {
    return bed.loop.run(transact(bed.a.pool, [&bed, names](pg::Transaction& transaction) {
      return bed.a.tags.resolve(transaction, bed.organization, names);
    }));
  };
  const auto found = resolve({"new", vip.text(), "vip", "New"});
  CHECK_EQ(labels(found), Texts{"new", "VIP"});
  CHECK_EQ(found[1].uniqueId, vip);
  CHECK_EQ(resolve({"NEW"}).at(0).uniqueId, found[0].uniqueId);
  CHECK(resolve({}).empty());
}
