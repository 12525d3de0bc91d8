// What deletions elsewhere leave of conversations: a tombstone of a contact's, no rows of a tag's or an organization's.
#include <doctest/doctest.h>

#include "common/events/organization_changes.hpp"
#include "common/http/problem.hpp"
#include "common/removals/organizations.hpp"
#include "tests/integration/conversations_hearing.hpp"

using namespace parley;
using namespace parley::conversations_tests;

namespace {

using Bed = Hearing;

}  // namespace

TEST_SUITE("integration: conversations, deletions") {
  TEST_CASE("a deleted contact's conversations are tombstones at once, and what was said goes soon") {
    Bed bed;
    const auto& [database, organization] = std::tie(bed.database, bed.organization);
    const auto closed = database.add_conversation(organization, bed.contact, "Closed");
    const auto active = database.add_conversation(organization, bed.contact);
    const auto deleted = database.add_conversation(organization, bed.contact, "Deleted");
    const auto others = database.add_conversation(organization, bed.neighbour);
    for (const auto& id : {closed, active, deleted, others})
      for (int i = 0; i < 7; ++i)
        database.add_message(organization, id, i % 3 ? "Unread" : "Delivered", i, R"({"text": "secret"})");
    database.execute("UPDATE message SET channel_message_id = 'wamid.' || id, error_text = 'to +491234'");
    database.execute(
        "UPDATE message SET message_type = 'Image' WHERE id = (SELECT max(id::text)::uuid FROM message "
        "WHERE conversation_id = " +
        quoted(active) + ")");
    const auto tag = database.add_tag(organization, active);

    bed.apply(conversations::reconciliation::apply_feed,
              events::ContactsDeleted{organization, {bed.contact, model::new_uuid()}});
    const auto check_tombstone = [&](const Uuid& id) {
      const auto found = bed.find(id);
      REQUIRE(found);
      CHECK(found->tombstone);
      CHECK_EQ(found->conversation.status, ConversationStatus::Deleted);
      CHECK_EQ(found->conversation.totalMessages, 7);
      CHECK_EQ(found->conversation.numberOfUnreadMessages, 4);
      CHECK_EQ(found->conversation.messages.size(), 7);
      for (const auto& message : found->conversation.messages) {
        CHECK_EQ(message.messageData.text, message.messageType == model::MessageType::Text ? R"({"text": ""})" : "{}");
        CHECK_FALSE(message.messagingMessageId.has_value());
      }
    };
    check_tombstone(closed);
    check_tombstone(active);
    CHECK_EQ(bed.find(active)->tag_ids, std::vector<Uuid>{tag});
    CHECK_FALSE(bed.find(deleted).has_value());
    CHECK_EQ(bed.find(others)->conversation.status, ConversationStatus::Active);
    CHECK(bed.loop.run(bed.store.of_contacts(organization, {bed.contact}, 20)).empty());

    bed.sweep();
    CHECK_EQ(bed.words(bed.contact), R"({"text": ""} {})");
    CHECK(bed.words(bed.neighbour).find("secret") != std::string::npos);
    check_tombstone(closed);
    check_tombstone(active);
    CHECK_FALSE(bed.find(deleted).has_value());
    CHECK_EQ(database.drifted(), 0);

    // The others hear of two conversations, as if a member had deleted them.
    const std::string own = "FROM outbox, jsonb_array_elements(changes) c WHERE c ->> 'type' <> 'relayed'";
    CHECK_EQ(database.number("SELECT count(DISTINCT id) " + own), 1);
    CHECK_EQ(database.execute("SELECT string_agg(concat(c ->> 'from', c ->> 'to', c ->> 'type'), ',' ORDER BY c ->> "
                              "'from') " +
                              own),
             "ActiveDeletedconversation.status,ClosedDeletedconversation.status");

    // Told again, as after a restored backup: nothing more.
    bed.apply(conversations::reconciliation::apply_feed, events::ContactsDeleted{organization, {bed.contact}});
    bed.sweep();
    check_tombstone(active);
    CHECK_EQ(database.number("SELECT count(DISTINCT id) " + own), 1);
    CHECK_EQ(database.number("SELECT count(*) FROM removal"), 0);
  }

  TEST_CASE("a tombstone cannot be changed, and makes room for no other") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    bed.apply(conversations::reconciliation::apply_feed, events::ContactsDeleted{bed.organization, {bed.contact}});
    unsigned status = 0;
    bed.loop.run([](Bed& bed, Uuid id, unsigned& status) -> awaitable<void> {
      auto transaction = co_await bed.loop.pool.begin();
      try {
        co_await bed.store.lock(transaction, bed.organization, id);
      } catch (const http::Problem& problem) {
        status = problem.status;
      }
    }(bed, id, status));
    CHECK_EQ(status, 409);
    CHECK_THROWS(bed.database.execute("UPDATE conversation SET status = 'Active' WHERE tombstone"));
  }

  TEST_CASE("another organization's contact of the same id is not meant") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    bed.database.add_message(bed.organization, id, "Unread", 1);
    bed.apply(conversations::reconciliation::apply_feed, events::ContactsDeleted{bed.other, {bed.contact}});
    bed.sweep();
    CHECK_EQ(bed.find(id)->conversation.status, ConversationStatus::Active);
    CHECK(bed.words(bed.contact).find("hello") != std::string::npos);
  }

  TEST_CASE("a deleted tag's rows go, others' stay; what else contacts tells is passed over") {
    Bed bed;
    const auto id = bed.database.add_conversation(bed.organization, bed.contact);
    const auto kept = bed.database.add_tag(bed.organization, id), doomed = bed.database.add_tag(bed.organization, id);
    for (int i = 0; i < 9; ++i)
      bed.database.execute("INSERT INTO conversation_tag VALUES (" + quoted(bed.organization) + ", " +
                           quoted(bed.database.add_conversation(bed.organization, model::new_uuid())) + ", " +
                           quoted(doomed) + ")");
    bed.apply(conversations::reconciliation::apply_feed, events::ListDeleted{bed.organization, doomed},
              events::TagDeleted{bed.organization, doomed}, events::OrganizationDeleted{bed.organization});
    bed.sweep();
    CHECK_EQ(bed.database.number("SELECT count(*) FROM conversation_tag"), 1);
    CHECK_EQ(bed.find(id)->tag_ids, std::vector<Uuid>{kept});
  }

  TEST_CASE("nothing of a deleted organization is left, and nothing of others is touched") {
    Bed bed;
    for (const auto& organization : {bed.organization, bed.other}) {
      const auto id = bed.database.add_conversation(organization, bed.contact);
      for (int i = 0; i < 8; ++i) bed.database.add_message(organization, id, "Unread", i);
      bed.database.add_tag(organization, id);
      for (int i = 0; i < 5; ++i) bed.database.add_note(organization, id);
      bed.database.execute("INSERT INTO campaign (organization_id, id, name) VALUES (" + quoted(organization) + ", " +
                           quoted(model::new_uuid()) + ", 'one')");
    }
    bed.apply(removals::apply_organizations, events::OrganizationDeleted{bed.organization});
    bed.sweep();
    for (const std::string table : {"conversation", "message", "note", "conversation_tag", "campaign"}) {
      CAPTURE(table);
      CHECK_EQ(
          bed.database.number("SELECT count(*) FROM " + table + " WHERE organization_id = " + quoted(bed.organization)),
          0);
      CHECK(bed.database.number("SELECT count(*) FROM " + table + " WHERE organization_id = " + quoted(bed.other)) > 0);
    }
    CHECK_EQ(bed.database.drifted(), 0);
    CHECK_EQ(bed.database.number("SELECT count(*) FROM removal WHERE finished_at IS NOT NULL"), 1);
  }

  TEST_CASE("events that are not what they say are refused, to be set aside") {
    Bed bed;
    const auto refused = [&](const std::string& json) {
      bool bad = false;
      bed.loop.run([](Bed& bed, events::Event event, bool& bad) -> awaitable<void> {
        auto transaction = co_await bed.loop.pool.begin();
        try {
          co_await conversations::reconciliation::apply_feed(transaction, {&event, 1});
        } catch (const events::BadEvent&) {
          bad = true;
        }
      }(bed, {1, {json}}, bad));
      return bad;
    };
    CHECK(refused("{}"));
    CHECK(refused("[{}]"));
    CHECK(refused(R"([{"type": "contact.deleted"}])"));
    CHECK(refused(R"([{"type": "contact.deleted", "organizationId": "x", "contactIds": []}])"));
    CHECK(refused(R"([{"type": "tag.deleted", "organizationId": null, "tagId": 1}])"));
    CHECK_FALSE(refused(R"([{"type": "contact.praised"}])"));
  }
}
