// What merged and deleted contacts leave here, also when others still write for them; and statuses that members give.
#include <doctest/doctest.h>

#include "tests/integration/conversations_hearing.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using conversations::reconciliation::apply_feed;
using events::ContactMerged;
using events::ContactsDeleted;
using events::ContactStatusChanged;
using model::ContactStatus;

namespace {

struct Bed : Hearing {
  Uuid into = model::new_uuid();

  void merge() { apply(apply_feed, ContactMerged{organization, contact, into}); }
  void give(ContactStatus status, std::int64_t at) {
    apply(apply_feed, ContactStatusChanged{organization, {contact}, status, {at}});
  }
  std::string status_of(const Uuid& id) {
    return database.execute("SELECT status FROM conversation WHERE id = " + quoted(id));
  }
  std::string contacts_of(const std::string& table) {
    const auto found = database.execute("SELECT string_agg(DISTINCT contact_id::text, ' ') FROM " + table +
                                        " WHERE organization_id = " + quoted(organization));
    return found == into.text() ? "into" : found == contact.text() ? "from" : found;
  }
  // By the clock of words: 1,000 is a second after the epoch.
  void speak(const Uuid& who, bool opted_out, int at) {
    database.execute("INSERT INTO suppression (organization_id, contact_id, opted_out, opted_out_at) VALUES (" +
                     quoted(organization) + ", " + quoted(who) + ", " + (opted_out ? "true" : "false") +
                     ", to_timestamp(" + std::to_string(at) + "))");
  }
  std::string suppression(const Uuid& who) {
    return database.execute(
        "SELECT coalesce((SELECT concat_ws(' ', CASE WHEN opted_out THEN 'out' ELSE 'in' END, extract(epoch FROM "
        "nullif(opted_out_at, '-infinity'))::int, CASE WHEN blocked THEN 'blocked' ELSE 'free' END, extract(epoch FROM "
        "nullif(blocked_at, '-infinity'))::int) FROM suppression WHERE contact_id = " +
        quoted(who) + "), 'none')");
  }
  void add_outgoing(const Uuid& message, const std::string& state, const std::string& kind = "Message") {
    database.execute(
        "INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, "
        "expires_at) SELECT organization_id, id, '" +
        kind + "', '1', contact_id, '+491701', '" + state +
        "', now() + interval '1 day' FROM message WHERE id = " + quoted(message));
  }
};

}  // namespace

TEST_SUITE("integration: conversations, merged contacts") {
  TEST_CASE("all that one had goes over to the other, and the older of two Active conversations is Closed") {
    Bed bed;
    auto& database = bed.database;
    const auto older = database.add_conversation(bed.organization, bed.contact);
    const auto closed = database.add_conversation(bed.organization, bed.contact, "Closed");
    database.execute("UPDATE conversation SET created_at = created_at - interval '1 day'");
    const auto newer = database.add_conversation(bed.organization, bed.into);
    const auto theirs = database.add_conversation(bed.other, bed.contact);
    for (const auto& id : {older, closed, newer})
      for (int i = 0; i < 7; ++i) database.add_message(bed.organization, id, i % 2 ? "Unread" : "Queued", i);
    bed.add_outgoing(database.add_message(bed.organization, older, "Queued", 9), "Due");
    bed.speak(bed.contact, true, 5);

    for (int times = 0; times < 2; ++times) {  // as after a restored backup
      bed.merge();
      bed.sweep();
      CHECK_EQ(bed.status_of(older), "Closed");
      CHECK_EQ(bed.status_of(closed), "Closed");
      CHECK_EQ(bed.status_of(newer), "Active");
      for (const auto* table : {"conversation", "message", "outgoing"}) {
        CAPTURE(table);
        CHECK_EQ(bed.contacts_of(table), "into");
      }
      CHECK_EQ(bed.suppression(bed.contact), "none");
      CHECK_EQ(bed.suppression(bed.into), "out 5 free");
      CHECK_EQ(database.number("SELECT count(*) FROM removal"), 0);
      CHECK_EQ(database.number("SELECT count(*) FROM merged_contact"), 0);
      CHECK_EQ(bed.told(), times ? ""
                                 : "conversation.status Active Closed, conversation.changed, conversation.changed, "
                                   "contact.opted_out");
    }
    CHECK_EQ(database.execute("SELECT contact_id FROM conversation WHERE id = " + quoted(theirs)), bed.contact.text());
    CHECK_EQ(database.drifted(), 0);
  }

  TEST_CASE("an Active conversation of the merged one alone stays Active; the newer one stays, whose ever it was") {
    Bed bed;
    const auto only = bed.database.add_conversation(bed.organization, bed.contact);
    bed.merge();
    bed.sweep();
    CHECK_EQ(bed.status_of(only), "Active");
    CHECK_EQ(bed.contacts_of("conversation"), "into");

    const auto third = model::new_uuid();
    const auto newer = bed.database.add_conversation(bed.organization, third);
    bed.database.execute("UPDATE conversation SET created_at = now() WHERE id = " + quoted(newer));
    bed.apply(apply_feed, ContactMerged{bed.organization, third, bed.into});
    bed.sweep();
    CHECK_EQ(bed.status_of(only), "Closed");
    CHECK_EQ(bed.status_of(newer), "Active");
    CHECK_EQ(bed.contacts_of("conversation"), "into");
  }

  TEST_CASE("what is written for a contact that has just been merged, or is merged further, goes over too") {
    Bed bed;
    const auto last = model::new_uuid();
    bed.merge();
    const auto late = bed.database.add_conversation(bed.organization, bed.contact);
    bed.database.add_message(bed.organization, late, "Unread", 1);
    bed.speak(bed.contact, true, 8);
    bed.apply(apply_feed, ContactMerged{bed.organization, bed.into, last});
    bed.sweep();
    CHECK_EQ(bed.contacts_of("conversation"), last.text());
    CHECK_EQ(bed.contacts_of("message"), last.text());
    CHECK_EQ(bed.suppression(last), "out 8 free");
    CHECK_EQ(bed.database.number("SELECT count(*) FROM removal"), 0);
  }

  TEST_CASE("of two suppressions the newer word holds") {
    for (const bool moved_is_newer : {true, false}) {
      Bed bed;
      bed.speak(bed.contact, true, moved_is_newer ? 9 : 3);
      bed.speak(bed.into, false, 5);
      bed.merge();
      bed.sweep();
      CHECK_EQ(bed.suppression(bed.into), moved_is_newer ? "out 9 free" : "in 5 free");
      CHECK_EQ(bed.told(), moved_is_newer ? "contact.opted_out" : "contact.opted_in");
    }
  }

  TEST_CASE("one is deleted before what another had has gone over to it: nothing is left of that either") {
    Bed bed;
    auto& database = bed.database;
    const auto id = database.add_conversation(bed.organization, bed.contact);
    database.add_message(bed.organization, id, "Unread", 1, R"({"text": "secret"})");
    const auto due = database.add_message(bed.organization, id, "Queued", 2);
    bed.add_outgoing(due, "Due");
    bed.speak(bed.contact, true, 5);
    bed.merge();
    database.execute("UPDATE removal SET due_at = 'infinity'");  // others have it at work
    bed.apply(apply_feed, ContactsDeleted{bed.organization, {bed.into}});
    bed.sweep();
    CHECK_EQ(database.number("SELECT count(*) FROM removal"), 1);
    CHECK_EQ(bed.status_of(id), "Deleted");
    CHECK_EQ(bed.words(bed.contact), R"({"text": ""})");
    CHECK_EQ(database.execute("SELECT status FROM message WHERE id = " + quoted(due)), "Failed");
    CHECK_EQ(database.number("SELECT (SELECT count(*) FROM outgoing) + (SELECT count(*) FROM suppression)"), 0);
  }

  TEST_CASE("a worker at each step, and one beside it, end the same") {
    Bed bed;
    for (int i = 0; i < 9; ++i) {
      const auto id = bed.database.add_conversation(bed.organization, bed.contact, "Closed");
      for (int k = 0; k < 4; ++k) bed.database.add_message(bed.organization, id, "Unread", k);
    }
    bed.merge();
    bed.database.execute("UPDATE removal SET started_at = now() - interval '3 minutes'");
    // Each is gone after a step or two, as if killed: its transaction is rolled back.
    for (int round = 0; round < 12; ++round) {
      Loop loop(bed.database.settings());
      removals::Worker first(loop.context(), loop.pool, conversations::deletions::kinds(), [](std::string_view) {},
                             {.most = 2, .busy_pause = 1ms, .idle_pause = 2ms});
      removals::Worker second(bed.loop.context(), bed.loop.pool, conversations::deletions::kinds(),
                              [](std::string_view) {}, {.most = 2, .busy_pause = 1ms, .idle_pause = 2ms});
      loop.wait_until_available();
      loop.launch(first.run());
      bed.loop.launch(second.run());
      for (int turns = 0; turns < 4 + round; ++turns) {
        loop.context().run_one_for(1ms);
        bed.loop.context().run_one_for(1ms);
      }
      second.stop();
      bed.loop.finish();
    }
    bed.sweep();
    CHECK_EQ(bed.contacts_of("conversation"), "into");
    CHECK_EQ(bed.contacts_of("message"), "into");
    CHECK_EQ(bed.database.drifted(), 0);
  }
}

TEST_SUITE("integration: conversations, deleted contacts") {
  TEST_CASE("what was to be sent to them is not, and has Failed; what is being sent ends as the channel says") {
    Bed bed;
    auto& database = bed.database;
    const auto id = database.add_conversation(bed.organization, bed.contact);
    const auto due = database.add_message(bed.organization, id, "Queued", 1);
    const auto sending = database.add_message(bed.organization, id, "Queued", 2);
    const auto read = database.add_message(bed.organization, id, "Read", 3);
    bed.add_outgoing(due, "Due");
    bed.add_outgoing(sending, "Sending");
    bed.add_outgoing(read, "Due", "Receipt");
    bed.speak(bed.contact, true, 5);
    bed.apply(apply_feed, ContactsDeleted{bed.organization, {bed.contact}});
    bed.sweep();
    CHECK_EQ(database.execute("SELECT string_agg(status, ' ' ORDER BY created_at) FROM message"), "Failed Queued Read");
    CHECK_EQ(database.execute("SELECT string_agg(message_id::text, ' ') FROM outgoing"), sending.text());
    CHECK_EQ(bed.suppression(bed.contact), "none");
    CHECK_EQ(bed.told(), "conversation.status Active Deleted, message.status Queued Failed");
    CHECK_EQ(database.drifted(), 0);
  }

  TEST_CASE("what is written for them by who did not know is a tombstone too") {
    Bed bed;
    bed.apply(apply_feed, ContactsDeleted{bed.organization, {bed.contact}});
    const auto late = bed.database.add_conversation(bed.organization, bed.contact);
    bed.database.add_message(bed.organization, late, "Unread", 1, R"({"text": "secret"})");
    bed.sweep();
    CHECK_EQ(bed.status_of(late), "Deleted");
    CHECK_EQ(bed.words(bed.contact), R"({"text": ""})");
    CHECK_EQ(bed.told(), "conversation.status Active Deleted");
  }
}

TEST_SUITE("integration: conversations, contacts' statuses") {
  TEST_CASE("what members say is applied unless something newer was said, of the same moment the contact's") {
    Bed bed;
    bed.give(ContactStatus::Active, 1'000);
    CHECK_EQ(bed.suppression(bed.contact), "in 1 free 1");
    bed.give(ContactStatus::OptedOut, 4'000);
    CHECK_EQ(bed.suppression(bed.contact), "out 4 free 4");
    bed.give(ContactStatus::Active, 3'000);
    CHECK_EQ(bed.suppression(bed.contact), "out 4 free 4");
    bed.give(ContactStatus::Active, 4'000);
    CHECK_EQ(bed.suppression(bed.contact), "out 4 free 4");
    bed.give(ContactStatus::Blocked, 6'000);
    CHECK_EQ(bed.suppression(bed.contact), "out 4 blocked 6");
    bed.give(ContactStatus::Inactive, 7'000);
    CHECK_EQ(bed.suppression(bed.contact), "in 7 free 7");
    CHECK_EQ(bed.told(), "");  // no echo
  }

  TEST_CASE("many of one batch are applied in their order, each organization's its own") {
    Bed bed;
    bed.apply(apply_feed,
              ContactStatusChanged{bed.organization, {bed.contact, bed.neighbour}, ContactStatus::Blocked, {2'000}},
              ContactStatusChanged{bed.other, {bed.contact}, ContactStatus::OptedOut, {2'000}},
              ContactStatusChanged{bed.organization, {bed.neighbour}, ContactStatus::Active, {3'000}});
    CHECK_EQ(bed.suppression(bed.neighbour), "in 3 free 3");
    CHECK_EQ(bed.database.number("SELECT count(*) FROM suppression WHERE organization_id = " + quoted(bed.other) +
                                 " AND opted_out AND NOT blocked"),
             1);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM suppression WHERE organization_id = " +
                                 quoted(bed.organization) + " AND blocked AND NOT opted_out"),
             1);
  }
}
