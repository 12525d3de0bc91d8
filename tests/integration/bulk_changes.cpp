// Bulk changes: what a step does, and what it does not when others come between.
#include "common/http/problem.hpp"
#include "contacts/bulk/worker.hpp"
#include "tests/integration/contacts_bed.hpp"

using namespace parley;
using namespace parley::contacts_tests;
namespace bulk = parley::contacts::bulk;
using bulk::ActionType;
using bulk::BulkChange;
using bulk::Job;
using bulk::Status;
using bulk::Stepped;

namespace {

struct Bed {
  Database database;
  support::RedisServer redis;
  Uuid organization = model::new_uuid();
  Loop loop{patient(database.settings())};
  Replica replica{loop, patient(database.settings()), redis.url()};
  contacts::segments::Store segments{replica.pool};
  bulk::Store store{replica.pool, replica.contacts, segments};
  const Uuid worker = model::new_uuid();

  Uuid start(const Uuid& of, bulk::Selection selection, bulk::ActionBody action, std::int64_t expected = 1) {
    return loop.run(start_one(of, {std::move(selection), expected, std::move(action)})).uniqueId;
  }
  awaitable<BulkChange> start_one(Uuid of, bulk::StartBody body) {
    auto named = bulk::check(body);
    auto counted = co_await store.count(of, std::move(body), std::move(named));
    auto transaction = co_await replica.pool.begin();
    auto change = co_await store.start(transaction, of, std::move(counted));
    co_await transaction.commit();
    co_return change;
  }
  BulkChange find(const Uuid& id) { return loop.run(store.find(organization, id)).value(); }
  // Until it ends.
  BulkChange worked_off(const Uuid& id, std::size_t most = 1'000) {
    auto job = loop.run(store.claim(worker)).value();
    while (loop.run(store.step(job, most)) == Stepped::done) {
    }
    return find(id);
  }
  std::int64_t number(const std::string& question) { return database.sql().number(question, {organization.text()}); }
  std::int64_t with_status(const std::string& status) {
    return database.sql().number("SELECT count(*) FROM contact WHERE organization_id = $1 AND status = $2",
                                 {organization.text(), status});
  }
};

bulk::ActionBody set_status(ContactStatus status) {
  bulk::ActionBody action;
  action.type = ActionType::setStatus;
  action.status = status;
  return action;
}

bulk::ActionBody of_lists(ActionType type, std::vector<Uuid> lists) {
  bulk::ActionBody action;
  action.type = type;
  action.listIds = std::move(lists);
  return action;
}

bulk::Selection with_status(ContactStatus status) {
  bulk::Selection selection;
  selection.status = status;
  return selection;
}

std::string counts(const BulkChange& change) {
  return std::to_string(change.changed) + " changed, " + std::to_string(change.unchanged) + " unchanged, " +
         std::to_string(change.failed) + " failed";
}

}  // namespace

TEST_SUITE("integration: bulk changes") {
  TEST_CASE("a contact that matches no more when its turn comes is passed over, and a later one is not looked at") {
    Bed bed;
    const auto contacts = bed.database.add_contacts(bed.organization, 5);
    const auto id = bed.start(bed.organization, with_status(ContactStatus::Active), set_status(ContactStatus::Blocked));
    bed.database.sql().rows("UPDATE contact SET status = 'Inactive' WHERE id = $1", {contacts[3].text()});
    bed.database.add_contact(bed.organization, "Later");
    const auto change = bed.worked_off(id, 2);
    CHECK(change.status == Status::Finished);
    CHECK_EQ(counts(change), "4 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.with_status("Blocked"), 4);
    CHECK_EQ(bed.with_status("Active"), 1);
    // Told at the times that the contacts have.
    CHECK_EQ(
        bed.number(
            "SELECT count(*) FROM outbox, jsonb_array_elements(changes) e, "
            "jsonb_array_elements_text(e -> 'contactIds') i JOIN contact c ON c.id = i::uuid WHERE "
            "e ->> 'type' = 'contact.status' AND c.organization_id = $1 AND c.status_at = (e ->> 'at')::timestamptz"),
        4);
  }

  TEST_CASE("never more contacts are changed than were expected") {
    Bed bed;
    const auto contacts = bed.database.add_contacts(bed.organization, 5);
    bed.database.sql().rows("UPDATE contact SET status = 'Inactive' WHERE id = ANY ($1::uuid[])",
                            {support::sql_array({contacts[3].text(), contacts[4].text()})});
    const auto id = bed.start(bed.organization, with_status(ContactStatus::Active), set_status(ContactStatus::Blocked));
    bed.database.sql().rows("UPDATE contact SET status = 'Active'");
    const auto change = bed.worked_off(id);
    CHECK(change.status == Status::Failed);
    CHECK(change.failure.find("more contacts match") != std::string::npos);
    CHECK_EQ(counts(change), "3 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.with_status("Blocked"), 3);
  }

  TEST_CASE("who has lost the lease changes nothing, and who has it goes on where the other was") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 6);
    const auto id = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    auto first = bed.loop.run(bed.store.claim(bed.worker)).value();
    CHECK(bed.loop.run(bed.store.step(first, 2)) == Stepped::done);
    CHECK(!bed.loop.run(bed.store.claim(model::new_uuid())));
    bed.database.sql().rows("UPDATE bulk_change SET lease_until = now() - interval '1 second'");
    auto second = bed.loop.run(bed.store.claim(model::new_uuid())).value();
    CHECK(second.progress.position == first.progress.position);
    CHECK(bed.loop.run(bed.store.step(first, 2)) == Stepped::lost);
    CHECK(bed.loop.run(bed.store.step(second, 2)) == Stepped::done);
    CHECK(bed.loop.run(bed.store.step(first, 2)) == Stepped::lost);
    CHECK(bed.loop.run(bed.store.step(second, 2)) != Stepped::lost);
    CHECK_EQ(counts(bed.find(id)), "6 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.number("SELECT sum(jsonb_array_length(c -> 'contactIds')) FROM outbox, jsonb_array_elements(changes) "
                        "c WHERE c ->> 'type' = 'contact.updated' AND c ->> 'organizationId' = $1::text"),
             6);
  }

  TEST_CASE("after an error one is tried again a little later, and later with each attempt") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 1);
    bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    for (const std::int64_t pause : {2, 4}) {
      const auto job = bed.loop.run(bed.store.claim(bed.worker)).value();
      bed.loop.run(bed.store.try_later(job));
      // Counted from the claim, which was a moment before.
      CHECK_GE(bed.number("SELECT ceil(extract(epoch FROM lease_until - served_at)) FROM bulk_change WHERE "
                          "organization_id = $1"),
               pause);
      CHECK_EQ(bed.number("SELECT count(*) FROM bulk_change WHERE organization_id = $1 AND owner IS NULL"), 1);
      bed.database.sql().rows("UPDATE bulk_change SET lease_until = now() + interval '1 hour'");
      CHECK(!bed.loop.run(bed.store.claim(bed.worker)));
      bed.database.sql().rows("UPDATE bulk_change SET lease_until = now()");
    }
    CHECK(bed.loop.run(bed.store.claim(bed.worker)).value().attempts == 3);
  }

  TEST_CASE("one that ended long ago is forgotten") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 1);
    const auto open = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    const auto old = bed.start(bed.organization, {}, set_status(ContactStatus::Active));
    bed.database.sql().rows(
        "UPDATE bulk_change SET status = 'Cancelled', finished_at = now() - interval '91 days' WHERE id = $1",
        {old.text()});
    CHECK(bed.loop.run(bed.store.sweep()));
    CHECK(!bed.loop.run(bed.store.sweep()));
    CHECK(!bed.loop.run(bed.store.find(bed.organization, old)));
    CHECK(bed.find(open).status == Status::Queued);
  }

  TEST_CASE("one that is cancelled ends where it is") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 6);
    const auto id = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    auto job = bed.loop.run(bed.store.claim(bed.worker)).value();
    CHECK(bed.loop.run(bed.store.step(job, 2)) == Stepped::done);
    const auto cancelled = bed.loop.run(transact(bed.replica.pool, [&](pg::Transaction& transaction) {
      return bed.store.cancel(transaction, bed.organization, id);
    }));
    CHECK(cancelled.value().status == Status::Cancelled);
    CHECK(bed.loop.run(bed.store.step(job, 2)) == Stepped::lost);
    CHECK_EQ(bed.with_status("Blocked"), 2);
  }

  TEST_CASE("organizations take turns, and one organization's changes are in order") {
    Bed bed;
    const auto other = model::new_uuid();
    bed.database.add_contacts(bed.organization, 2);
    bed.database.add_contacts(other, 2);
    const auto first = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    const auto second = bed.start(bed.organization, {}, set_status(ContactStatus::Active));
    const auto job = bed.loop.run(bed.store.claim(bed.worker)).value();
    CHECK(job.id == first);
    CHECK(!bed.loop.run(bed.store.give_way(job)));  // its own next one does not count
    const auto others = bed.start(other, {}, set_status(ContactStatus::Blocked));
    CHECK(bed.loop.run(bed.store.give_way(job)));
    CHECK(bed.loop.run(bed.store.claim(bed.worker)).value().id == others);
    // An organization whose imports have just been served comes after others.
    bed.database.sql().rows(
        "INSERT INTO import (organization_id, id, on_conflict, country, delimiter, headers, targets, status, position, "
        "line, lease_until, served_at) VALUES ($1, $2, 'skip', '', ',', '{}', '{}', 'Finished', 0, 1, now(), now() + "
        "interval '1 hour')",
        {other.text(), others.text()});
    bed.database.sql().rows("UPDATE bulk_change SET status = 'Queued'");
    CHECK(bed.loop.run(bed.store.claim(bed.worker)).value().id == first);
    CHECK(bed.find(second).status == Status::Queued);
  }

  TEST_CASE("members and totals are counted, however contacts join, leave and go") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 4);
    const auto a = bed.database.add_list(bed.organization, "a"), b = bed.database.add_list(bed.organization, "b");
    CHECK_EQ(counts(bed.worked_off(bed.start(bed.organization, {}, of_lists(ActionType::addToLists, {a, b})), 3)),
             "4 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.database.drifted(), 0);
    CHECK_EQ(counts(bed.worked_off(bed.start(bed.organization, {}, of_lists(ActionType::removeFromLists, {b})), 3)),
             "4 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.database.drifted(), 0);
    bulk::Selection of_list;
    of_list.listId = a;
    bulk::ActionBody removal;
    removal.type = ActionType::deleteContacts;
    CHECK_EQ(counts(bed.worked_off(bed.start(bed.organization, of_list, removal), 3)),
             "4 changed, 0 unchanged, 0 failed");
    CHECK_EQ(bed.number("SELECT count(*) FROM contact WHERE organization_id = $1"), 0);
    CHECK_EQ(bed.number("SELECT count(*) FROM membership WHERE organization_id = $1"), 0);
    CHECK_EQ(bed.database.drifted(), 0);
    CHECK_EQ(bed.number("SELECT sum(jsonb_array_length(c -> 'contactIds')) FROM outbox, jsonb_array_elements(changes) "
                        "c WHERE c ->> 'type' = 'contact.deleted' AND c ->> 'organizationId' = $1::text"),
             4);
  }

  TEST_CASE("a contact without room is left as it was, and told") {
    Bed bed;
    const auto contacts = bed.database.add_contacts(bed.organization, 3);
    bed.database.sql().rows(
        "UPDATE contact SET attributes = jsonb_build_object('long', repeat('x', 16360)) WHERE id = $1",
        {contacts[1].text()});
    for (int i = 0; i < 100; ++i)
      bed.database.tag_contact(bed.organization, contacts[2],
                               bed.database.add_tag(bed.organization, "tag " + std::to_string(i)));
    bulk::ActionBody tag;
    tag.tags = {"tag 0", "new"};
    auto change = bed.worked_off(bed.start(bed.organization, {}, tag));
    CHECK_EQ(counts(change), "2 changed, 0 unchanged, 1 failed");
    CHECK(change.errors.text.find(R"({"detail": "would have more than 100 tags", "contactId": ")" +
                                  contacts[2].text()) != std::string::npos);
    bulk::ActionBody attribute;
    attribute.type = ActionType::setAttribute;
    attribute.attribute = "plan";
    attribute.value = model::RawJson{"\"gold\""};
    change = bed.worked_off(bed.start(bed.organization, {}, attribute));
    CHECK_EQ(counts(change), "2 changed, 0 unchanged, 1 failed");
    CHECK_EQ(counts(bed.worked_off(bed.start(bed.organization, {}, attribute))), "0 changed, 2 unchanged, 1 failed");
    CHECK_EQ(bed.number("SELECT count(*) FROM contact WHERE organization_id = $1 AND attributes ->> 'plan' = 'gold'"),
             2);
  }

  TEST_CASE("what the action names may be deleted meanwhile") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 2);
    const auto list = bed.database.add_list(bed.organization, "list");
    const auto id = bed.start(bed.organization, {}, of_lists(ActionType::addToLists, {list}));
    bed.database.sql().rows("DELETE FROM list WHERE id = $1", {list.text()});
    const auto change = bed.worked_off(id);
    CHECK(change.status == Status::Failed);
    CHECK_EQ(change.failure, "the lists were deleted");
  }

  TEST_CASE("no organization has more than 20 that have not ended") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 1);
    for (int i = 0; i < 20; ++i) bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    try {
      bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
      FAIL("it was taken");
    } catch (const http::Problem& problem) {
      CHECK_EQ(problem.status, 409);
    }
  }

  TEST_CASE("a worker that ends gives back what it works on, and another goes on at once") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 20'000);
    const auto id = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked), 20'000);
    {
      bulk::Worker worker(bed.loop.context(), bed.store, [](std::string_view, bool) {});
      bed.loop.launch(worker.run());
      bed.loop.until([&] { return bed.find(id).changed > 0; });
      bed.loop.launch(worker.stop());
      bed.loop.finish();
    }
    const auto stopped = bed.find(id);
    REQUIRE(stopped.status == Status::Running);
    CHECK_LT(stopped.changed, 20'000);
    CHECK_EQ(counts(bed.worked_off(id, 2'000)), "20000 changed, 0 unchanged, 0 failed");
  }

  TEST_CASE("the worker works them off") {
    Bed bed;
    bed.database.add_contacts(bed.organization, 120);
    bulk::Worker worker(bed.loop.context(), bed.store, [](std::string_view, bool) {});
    bed.loop.launch(worker.run());
    const auto id = bed.start(bed.organization, {}, set_status(ContactStatus::Blocked));
    worker.notify();
    bed.loop.until([&] { return bed.find(id).status == Status::Finished; });
    CHECK_EQ(bed.with_status("Blocked"), 120);
    bed.loop.launch(worker.stop());
    bed.loop.finish();
  }
}
