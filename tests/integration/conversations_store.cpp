// The store of conversations against a real database.
#include "common/http/problem.hpp"
#include "tests/integration/conversations_bed.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using conversations::conversations::ContactConversations;
using conversations::conversations::Found;
using conversations::conversations::Store;

namespace {

// As the route does it.
awaitable<std::optional<Found>> set_status_of(pg::Pool& pool, Store& store, Uuid organization, Uuid id,
                                              ConversationStatus status) {
  auto transaction = co_await pool.begin();
  const auto old = co_await store.lock(transaction, organization, id);
  if (!old) co_return std::nullopt;
  auto found = co_await store.set_status(transaction, organization, id, *old, status);
  co_await transaction.commit();
  co_return found;
}

struct Bed {
  Database database;
  pg_tests::Loop loop{database.settings()};
  Uncached uncached{loop.context().get_executor()};
  Store store{loop.pool, uncached.counts};
  Uuid organization = model::new_uuid(), contact = model::new_uuid();

  Bed() { loop.wait_until_available(); }
  std::optional<Found> find(const Uuid& id) { return loop.run(store.find(organization, id)); }
  std::optional<Found> set_status(const Uuid& id, ConversationStatus status) {
    return loop.run(set_status_of(loop.pool, store, organization, id, status));
  }
  std::vector<ContactConversations> of_contacts(std::vector<Uuid> contacts, std::int64_t messages) {
    return loop.run(store.of_contacts(organization, std::move(contacts), messages));
  }
  std::string events() { return database.execute("SELECT coalesce(jsonb_agg(changes ORDER BY id), '[]') FROM outbox"); }
};

std::vector<Uuid> ids_of(const std::vector<model::Message>& messages) {
  std::vector<Uuid> ids;
  for (const auto& message : messages) ids.push_back(message.uniqueId);
  return ids;
}

}  // namespace

TEST_SUITE("integration: conversations store") {
  TEST_CASE("a conversation comes with its counters, its tags and its newest messages in order of their moments") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    const auto late = bed.database.add_message(bed.organization, id, "Unread", 90);  // ids in another order
    std::vector<Uuid> messages;
    for (int i = 0; i < 25; ++i)
      messages.push_back(bed.database.add_message(bed.organization, id, i % 2 ? "Read" : "Sent", i));
    const auto same_moment = bed.database.add_message(bed.organization, id, "Queued", 90);
    std::vector<Uuid> tags{bed.database.add_tag(bed.organization, id), bed.database.add_tag(bed.organization, id)};

    const auto found = bed.find(id);
    REQUIRE(found);
    const auto& conversation = found->conversation;
    CHECK(conversation.uniqueId == id);
    CHECK(conversation.contactId == bed.contact);
    CHECK(conversation.organizationId == bed.organization);
    CHECK_FALSE(conversation.campaignId);
    CHECK(conversation.createdAt.text() == "2026-01-31T12:00:00.000Z");
    CHECK(conversation.totalMessages == 27);
    CHECK(conversation.numberOfUnreadMessages == 1);
    CHECK(found->tag_ids == tags);
    CHECK_FALSE(found->assigned_member_id);
    std::vector<Uuid> expected{same_moment, late};
    for (int i = 24; i > 6; --i) expected.push_back(messages[static_cast<std::size_t>(i)]);
    CHECK(ids_of(conversation.messages) == expected);
    CHECK(conversation.messages[1].direction == model::MessageDirection::InBound);
    CHECK(conversation.messages[1].messageData.text == R"({"text": "hello"})");
    CHECK(bed.find(id)->conversation.messages.size() == 20);
  }

  TEST_CASE("unknown ids and those of another organization are not there") {
    Bed bed;
    const auto id = bed.database.add_conversation(model::new_uuid(), bed.contact);
    bed.database.add_message(bed.organization, id, "Unread", 1);
    CHECK_FALSE(bed.find(id));
    CHECK_FALSE(bed.find(model::new_uuid()));
    CHECK_FALSE(bed.set_status(id, ConversationStatus::Closed));
    CHECK(bed.of_contacts({bed.contact}, 20).empty());
    CHECK(bed.database.execute("SELECT status FROM conversation") == "Active");
    CHECK(bed.events() == "[]");
  }

  TEST_CASE("a new status is answered and told of once; the same one again is told of no more") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    bed.database.add_message(bed.organization, id, "Unread", 1);
    const auto closed = bed.set_status(id, ConversationStatus::Closed);
    REQUIRE(closed);
    CHECK(closed->conversation.status == ConversationStatus::Closed);
    CHECK(closed->conversation.messages.size() == 1);
    CHECK(closed->conversation.totalMessages == 1);
    CHECK(bed.set_status(id, ConversationStatus::Closed)->conversation.status == ConversationStatus::Closed);
    CHECK(bed.database.number("SELECT count(*) FROM outbox") == 1);
    CHECK(bed.database.execute("SELECT changes = jsonb_build_array(jsonb_build_object('type', 'conversation.status', "
                               "'organizationId', " +
                               quoted(bed.organization) + "::text, 'conversationId', " + quoted(id) +
                               "::text, 'contactId', " + quoted(bed.contact) +
                               "::text, 'from', 'Active', 'to', 'Closed')) FROM outbox") == "t");
    CHECK(bed.set_status(id, ConversationStatus::Active)->conversation.status == ConversationStatus::Active);
    CHECK(bed.database.number("SELECT count(*) FROM outbox") == 2);
  }

  TEST_CASE("a Deleted conversation is answered once more and then gone") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    CHECK(bed.set_status(id, ConversationStatus::Deleted)->conversation.status == ConversationStatus::Deleted);
    CHECK_FALSE(bed.find(id));
    CHECK_FALSE(bed.set_status(id, ConversationStatus::Active));
    CHECK(bed.of_contacts({bed.contact}, 20).empty());
    bed.database.add_conversation(bed.organization, bed.contact);  // another may be Active now
  }

  TEST_CASE("a second Active conversation of a contact is a conflict, and nothing is told") {
    Bed bed;
    const auto old = bed.database.add_conversation(bed.organization, bed.contact, "Closed");
    const auto current = bed.database.add_conversation(bed.organization, bed.contact);
    unsigned status = 0;
    std::string detail;
    try {
      bed.set_status(old, ConversationStatus::Active);
    } catch (const http::Problem& problem) {
      status = problem.status;
      detail = problem.detail;
    }
    CHECK(status == 409);
    CHECK(detail.find("Active") != detail.npos);
    CHECK(bed.find(old)->conversation.status == ConversationStatus::Closed);
    CHECK(bed.events() == "[]");
    bed.set_status(current, ConversationStatus::Closed);
    CHECK(bed.set_status(old, ConversationStatus::Active)->conversation.status == ConversationStatus::Active);
  }

  TEST_CASE("many who set one conversation's status at once are told of in the order in which they did") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    for (int i = 0; i < 40; ++i)
      bed.loop.launch([](Bed& all, Uuid conversation, ConversationStatus status) -> awaitable<void> {
        const auto found = co_await set_status_of(all.loop.pool, all.store, all.organization, conversation, status);
        CHECK(found);
      }(bed, id, i % 2 ? ConversationStatus::Active : ConversationStatus::Closed));
    bed.loop.finish();
    // Each change begins where the one before it ended.
    CHECK(bed.database.number(
              "SELECT count(*) FROM (SELECT changes->0->>'from' AS old, lag(changes->0->>'to', 1, 'Active') "
              "OVER (ORDER BY id) AS before FROM outbox) o WHERE old <> before") == 0);
    CHECK(bed.database.number("SELECT count(*) FROM outbox") > 0);
    CHECK(bed.database.execute("SELECT (SELECT changes->0->>'to' FROM outbox ORDER BY id DESC LIMIT 1) = status FROM "
                               "conversation") == "t");
  }

  TEST_CASE("the conversations of contacts, the newest first, each with its newest messages") {
    Bed bed;
    const auto other = model::new_uuid(), nobody = model::new_uuid();
    const auto first = bed.database.add_conversation(bed.organization, bed.contact, "Closed");
    const auto deleted = bed.database.add_conversation(bed.organization, bed.contact, "Deleted");
    const auto second = bed.database.add_conversation(bed.organization, bed.contact);
    const auto empty = bed.database.add_conversation(bed.organization, other);
    std::vector<Uuid> messages;
    for (int i = 0; i < 3; ++i) messages.push_back(bed.database.add_message(bed.organization, first, "Read", 60 - i));
    bed.database.add_message(bed.organization, deleted, "Read", 1);
    const auto answer =
        bed.database.add_message(bed.organization, second, "Delivered", 2, R"({"text": "né \"quoted\""})");

    auto contacts = bed.of_contacts({nobody, other, bed.contact, bed.contact}, 2);
    REQUIRE(contacts.size() == 2);
    if (contacts[0].contact_id != bed.contact) std::swap(contacts[0], contacts[1]);
    REQUIRE(contacts[0].conversations.size() == 2);
    const auto& newest = contacts[0].conversations[0];
    CHECK(newest.uniqueId == second);
    CHECK(newest.contactId == bed.contact);
    CHECK(newest.organizationId == bed.organization);
    CHECK(newest.status == ConversationStatus::Active);
    CHECK(newest.initiatedBy == model::ConversationInitiator::Contact);
    CHECK(newest.createdAt.text() == "2026-01-31T12:00:00.000Z");
    REQUIRE(newest.messages.size() == 1);
    CHECK(newest.messages[0].uniqueId == answer);
    CHECK(newest.messages[0].conversationId == second);
    CHECK(newest.messages[0].direction == model::MessageDirection::OutBound);
    CHECK(newest.messages[0].status == model::MessageStatus::Delivered);
    CHECK(newest.messages[0].createdAt.text() == "2026-01-31T12:02:00.000Z");
    CHECK(newest.messages[0].messageData.text == R"({"text": "né \"quoted\""})");
    CHECK(contacts[0].conversations[1].uniqueId == first);
    CHECK(ids_of(contacts[0].conversations[1].messages) == std::vector<Uuid>{messages[0], messages[1]});
    REQUIRE(contacts[1].conversations.size() == 1);
    CHECK(contacts[1].conversations[0].uniqueId == empty);
    CHECK(contacts[1].conversations[0].messages.empty());
    CHECK(bed.of_contacts({}, 2).empty());
  }

  TEST_CASE(
      "several contacts, as their own pages show them, are told alike and without those whose messages are long") {
    Bed bed;
    std::vector<Uuid> contacts;
    for (int c = 0; c < 8; ++c) {
      contacts.push_back(model::new_uuid());
      for (int i = 0; i < 1 + c % 3 * 11; ++i) {
        const auto id = bed.database.add_conversation(bed.organization, contacts.back(), "Closed");
        for (int n = 0; n < i * 7 % 25; ++n) bed.database.add_message(bed.organization, id, "Read", n * 13 % 25);
      }
    }
    for (const int c : {2, 6}) {
      const auto id = bed.database.add_conversation(bed.organization, contacts[c]);
      bed.database.add_message(bed.organization, id, "Read", 1, R"({"text": ")" + std::string(200'000, 'x') + "\"}");
    }
    bed.database.execute("ANALYZE");
    contacts.push_back(contacts.front());
    const auto told = bed.of_contacts(contacts, 20);
    CHECK(told.size() == 8);
    for (const auto& several : told) {
      const bool is_long = several.contact_id == contacts[2] || several.contact_id == contacts[6];
      CHECK(several.is_long == is_long);
      const auto alone = bed.of_contacts({several.contact_id}, 20);
      REQUIRE(alone.size() == 1);
      CHECK_FALSE(alone[0].is_long);
      if (!is_long) CHECK(model::to_json(several.conversations) == model::to_json(alone[0].conversations));
      CHECK(model::to_json(alone[0].conversations).size() > (is_long ? 200'000U : 2U));
    }
  }

  TEST_CASE("a contact's newest 20 conversations, whatever others have") {
    Bed bed;
    const auto other = model::new_uuid();
    std::vector<Uuid> made;
    for (int i = 0; i < 23; ++i) made.push_back(bed.database.add_conversation(bed.organization, bed.contact, "Closed"));
    const auto alone = bed.database.add_conversation(bed.organization, other);
    for (const auto& contact : bed.of_contacts({bed.contact, other}, 1)) {
      std::vector<Uuid> ids;
      for (const auto& conversation : contact.conversations) ids.push_back(conversation.uniqueId);
      const std::vector<Uuid> newest(made.rbegin(), made.rbegin() + 20);
      CHECK(ids == (contact.contact_id == other ? std::vector<Uuid>{alone} : newest));
    }
  }

  TEST_CASE("the planner does not plan the page's query anew for each page") {
    Bed bed;
    for (int i = 0; i < 30; ++i) {
      const auto contact = model::new_uuid();
      const auto id = bed.database.add_conversation(bed.organization, contact, i % 2 ? "Closed" : "Active");
      bed.database.add_message(bed.organization, id, "Read", i);
    }
    bed.database.execute("ANALYZE");
    static const pg::Statement plans(
        "tests.conversations.plans",
        "SELECT (sum(custom_plans) * 1000 + min(generic_plans))::int8 FROM pg_prepared_statements WHERE statement LIKE "
        "'%AS message_id%' AND generic_plans + custom_plans > 0",
        pg::Lane::read, {}, pg::Statement::Kind::unprepared);
    const auto settings = [&] {
      auto out = bed.database.settings();
      out.read_connections = 1;
      return out;
    }();
    pg_tests::Loop loop(settings);
    Uncached uncached(loop.context().get_executor());
    Store store(loop.pool, uncached.counts);
    for (int i = 0; i < 40; ++i) loop.run(store.of_contacts(bed.organization, {model::new_uuid()}, i % 2 ? 1 : 20));
    const auto results = loop.run(loop.pool.read(pg::Batch(plans)));
    const auto planned = results.one<std::int64_t>();
    CHECK(planned / 1000 == 0);  // never for one page
    CHECK(planned % 1000 > 0);   // but once for all
  }
}
