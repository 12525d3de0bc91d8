// What contacts tells is heard by streams too, which follow conversations' feed alone, and comes to webhooks once.
#include "common/events/contact_changes.hpp"
#include "common/events/import_changes.hpp"
#include "conversations/events/public_events/notices.hpp"
#include "conversations/recovery/reconciliation/feed.hpp"
#include "tests/integration/stream_bed.hpp"

using namespace parley;
using namespace parley::stream_tests;

namespace {

// As the consumer of contacts' feed does it.
void apply(Teller& teller, std::vector<events::Event> events) {
  const auto run = [](pg::Pool& pool, std::vector<events::Event> all) -> awaitable<bool> {
    auto transaction = co_await pool.begin();
    co_await conversations::reconciliation::apply_feed(transaction, all);
    co_await transaction.commit();
    co_return true;
  };
  teller.loop.run(run(teller.loop.pool, std::move(events)));
}

}  // namespace

TEST_SUITE("integration: streams, relayed events") {
  TEST_CASE("what happens to contacts and imports is heard, in order, of its own time, and gone on behind") {
    const Database database;
    const auto organization = model::new_uuid(), contact = model::new_uuid(), import = model::new_uuid();
    Teller teller(database);
    const auto begin = place_after(teller.listen(organization));
    const model::Timestamp at{1'700'000'000'000};
    events::Changes first, second;
    first.add(events::ContactsCreated{organization, {contact}});
    first.add(events::ContactStatusChanged{organization, {contact}, model::ContactStatus::Blocked, at});
    first.add(events::ContactStatusChanged{organization, {contact}, model::ContactStatus::OptedOut, at});
    first.add(events::TagDeleted{organization, model::new_uuid()});
    first.add(events::ContactsUpdated{model::new_uuid(), {model::new_uuid()}});
    second.add(events::ContactsCreated{organization, {model::new_uuid()}, import});
    second.add(
        events::ImportProgressed{{organization, import, events::ImportStatus::Running, "", {}, 9, 5, 2, 1, 1, 40}});
    second.add(events::ContactMerged{organization, model::new_uuid(), contact});
    second.add(events::ContactsDeleted{organization, {contact}});
    apply(teller, {{1, first.json(), at}, {2, second.json(), at}});
    teller.settle();

    const auto text = teller.listen(organization, begin);
    const Types all{"contact.created", "contact.opted_out", "import.progress", "contact.merged", "contact.deleted"};
    REQUIRE(types_in(text) == all);
    const auto heard = heard_in(text);
    CHECK(heard[0].at("timestamp").as_string() == "2023-11-14T22:13:20.000Z");
    CHECK(heard[0].at("data").at("contactIds").at(0).as_string() == contact.text());
    CHECK(heard[0].at("data").at("importId").is_null());
    CHECK(heard[2].at("data").at("percent").as_int64() == 40);
    CHECK(text.find("organizationId") == text.npos);
    std::string last;
    const auto read = read_events(text, last);
    for (std::size_t i = 0; i < read.size(); ++i)
      CHECK(types_in(teller.listen(organization, Position::parse(read[i].id))) ==
            Types(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()));

    teller.choice.imported_contacts = true;
    const auto more = heard_in(teller.listen(organization, begin));
    REQUIRE(more.size() == 6);
    CHECK(more[2].at("data").at("importId").as_string() == import.text());
    teller.choice.permissions.remove(identity::Permission::get_contact);
    CHECK(types_in(teller.listen(organization, begin)) == Types{"import.progress"});
    teller.choice.permissions.remove(identity::Permission::bulk_import_contacts);
    CHECK(types_in(teller.listen(organization, begin)).empty());
  }

  TEST_CASE("a webhook gets what contacts tells once, though conversations' feed has it too") {
    const Database database;
    Teller teller(database);
    const auto organization = model::new_uuid();
    events::Changes changes;
    changes.add(events::ContactsCreated{organization, {model::new_uuid()}});
    const events::Event event{1, changes.json(), model::Timestamp{1'700'000'000'000}};
    CHECK(conversations::public_events::notices_of(event).size() == 1);
    const events::Event relayed{2, conversations::public_events::relayed(event).json(), {}};
    CHECK(conversations::public_events::notices_of(relayed).empty());
    CHECK(conversations::public_events::notices_with_relayed(relayed).size() == 1);
    // Each event by itself, so that none is longer than those that it is made of.
    apply(teller, {event, {3, changes.json(), {}}});
    CHECK(database.number("SELECT count(*) FROM outbox") == 2);
  }
}
