// What webhooks leave in the tables.
#include <boost/json/parse.hpp>

#include "tests/integration/webhooks_bed.hpp"

using namespace parley;
using namespace parley::webhooks_tests;

namespace {

constexpr auto kAda = "4915100000001", kBob = "4915100000002";
constexpr auto kShy = "US.13491208655302741918";  // who has no number

using Bed = Applied;

}  // namespace

TEST_SUITE("integration: webhooks, applied") {
  TEST_CASE("a stranger's message makes a contact, a conversation and an unread message, once") {
    Bed bed;
    const json::array contacts{json::object{{"profile", json::object{{"name", "Ada"}}}, {"wa_id", kAda}}};
    for (int i = 0; i < 10; ++i) bed.world.receive(body_of({text("m1", kAda, 0, "Hello")}, {}, kNumber, contacts));
    bed.replica.drain();
    bed.apply({text("m1", kAda, 0, "Hello")}, {}, contacts);
    CHECK_EQ(bed.told(), "conversation.created message.created");
    CHECK_EQ(
        bed.world.text("SELECT concat_ws(' ', status, initiated_by, total_messages, unread_messages, last_inbound_at "
                       "= '2026-01-31T12:00:00Z', last_message_at = '2026-01-31T12:00:00Z') FROM conversation"),
        "Active Contact 1 1 t t");
    CHECK_EQ(bed.message_of("m1", "direction, status, message_type, data"), R"(InBound Unread Text {"text": "Hello"})");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM inbox"), 0);
    CHECK_EQ(bed.world.contacts.sql().value("SELECT name || ' ' || phone FROM contact"), "Ada +4915100000001");
  }

  TEST_CASE("who has no phone number is kept by the channel's id, and stays the same when the number becomes known") {
    Bed bed;
    bed.apply({text("m1", kShy, 0, "Hello")});
    auto both = text("m2", kAda, 5, "It is me");
    both["from_user_id"] = kShy;
    bed.apply({both});
    bed.apply({text("m3", kAda, 9, "still")});
    CHECK_EQ(bed.world.number("SELECT count(*) FROM conversation"), 1);
    CHECK_EQ(bed.world.number("SELECT unread_messages FROM conversation"), 3);
    CHECK_EQ(bed.world.contacts.sql().number("SELECT count(*) FROM contact"), 1);
    CHECK_EQ(bed.world.contact_of(bed.organization, kShy),
             bed.world.contact_of(bed.organization, "+" + std::string(kAda)));
  }

  TEST_CASE("kinds of messages, and those that nobody knows") {
    Bed bed;
    json::array all{
        message("image", kAda, 1, "image",
                {{"id", "65"},
                 {"mime_type", "image/jpeg"},
                 {"sha256", "x="},
                 {"url", "https://lookaside"},
                 {"caption", "c"}}),
        message("audio", kAda, 2, "audio", {{"id", "66"}, {"mime_type", "audio/ogg"}, {"voice", true}}),
        message("document", kAda, 3, "document", {{"id", 67}, {"filename", "a.pdf"}}),
        message("sticker", kAda, 4, "sticker", {{"id", "68"}, {"animated", false}}),
        message("location", kAda, 5, "location",
                {{"latitude", 37.4611978}, {"longitude", -122.2164385}, {"name", "HQ"}}),
        message("interactive", kAda, 6, "interactive",
                {{"type", "list_reply"},
                 {"list_reply", json::object{{"id", "7"}, {"title", "Seven"}, {"description", "d"}}}}),
        message("form", kAda, 7, "interactive",
                {{"type", "nfm_reply"},
                 {"nfm_reply", json::object{{"name", "flow"}, {"response_json", "{}"}, {"body", "Sent"}}}}),
        message("button", kAda, 8, "button", {{"payload", "p"}, {"text", "Yes"}}),
        message("order", kAda, 9, "order",
                {{"catalog_id", "1"}, {"product_items", json::array{json::object{{"quantity", 3}}}}}),
        message("call", kAda, 9, "interactive",
                {{"type", "call_permission_reply"}, {"call_permission_reply", json::object{{"response", "accept"}}}}),
        message("odd reply", kAda, 9, "interactive", {{"type", "new_reply"}, {"other", 1}}),
        message("identity", kAda, 9, "system",
                {{"type", "customer_identity_changed"}, {"body", "changed"}, {"customer", "1"}, {"identity", "h"}}),
        message("hologram", kAda, 10, "hologram", {{"x", json::array{1, "two", nullptr}}}),
    };
    all.push_back(
        json::object{{"from", kAda},
                     {"id", "contacts"},
                     {"timestamp", kNoon + 11},
                     {"type", "contacts"},
                     {"contacts", json::array{json::object{{"name", json::object{{"formatted_name", "Bob"}}}}}}});
    all.push_back(json::object{{"from", kAda},
                               {"id", "none"},
                               {"timestamp", (kNoon + 12) * 1000},
                               {"type", "unsupported"},
                               {"unsupported", json::object{{"type", "poll"}}},
                               {"errors", json::array{json::object{{"code", 131051}}}}});
    auto checked = text("checked", kAda, 13, "me");
    checked["identity"] = json::object{{"hash", "h"}};
    all.push_back(checked);
    auto forwarded = text("forwarded", kAda, 13, "psst");
    forwarded["context"] = json::object{{"forwarded", true}, {"frequently_forwarded", true}};
    forwarded["referral"] = json::object{{"source_id", "ad"}};
    all.push_back(forwarded);
    bed.apply(all);
    const auto data = [&](const std::string& id) { return bed.message_of(id, "message_type, data"); };
    CHECK_EQ(data("image"), R"(Image {"id": "65", "sha256": "x=", "caption": "c", "mimeType": "image/jpeg"})");
    CHECK_EQ(data("audio"), R"(Audio {"id": "66", "voice": true, "mimeType": "audio/ogg"})");
    CHECK_EQ(data("document"), R"(Document {"id": 67, "fileName": "a.pdf"})");
    CHECK_EQ(data("sticker"), R"(Sticker {"id": "68", "animated": false})");
    CHECK_EQ(data("location"), R"(Location {"name": "HQ", "latitude": 37.4611978, "longitude": -122.2164385})");
    CHECK_EQ(data("interactive"),
             R"(Interactive {"id": "7", "type": "list_reply", "title": "Seven", "description": "d"})");
    CHECK_EQ(data("form"), R"(Interactive {"id": "flow", "type": "nfm_reply", "title": "Sent", "payload": "{}"})");
    CHECK_EQ(data("button"), R"(Interactive {"id": "p", "type": "button", "title": "Yes", "payload": "p"})");
    CHECK_EQ(data("contacts"), R"(Contacts {"contacts": [{"name": {"formatted_name": "Bob"}}]})");
    CHECK_EQ(
        data("forwarded"),
        R"(Text {"text": "psst", "referral": {"source_id": "ad"}, "forwarded": true, "frequentlyForwarded": true})");
    CHECK_EQ(data("order"), R"(Interactive {"type": "order", "items": [{"quantity": 3}], "catalogId": "1"})");
    CHECK_EQ(data("call"), R"(Interactive {"type": "call_permission_reply", "payload": {"response": "accept"}})");
    CHECK_EQ(data("odd reply").substr(0, 47), R"(Unsupported {"type": "interactive", "payload": )");
    CHECK_EQ(data("identity"),
             R"(System {"body": "changed", "type": "customer_identity_changed", "customer": "1", "identity": "h"})");
    CHECK_EQ(data("checked"), R"(Text {"text": "me", "senderIdentity": {"hash": "h"}})");
    CHECK(data("hologram").find(R"("hologram": {"x": [1, "two", null]})") != std::string::npos);
    CHECK(data("none").starts_with(R"(Unsupported {"type": "poll", "errors": [{"code": 131051}], "payload": {)"));
    CHECK_EQ(
        bed.world.text("SELECT created_at = '2026-01-31T12:00:12Z' FROM message WHERE channel_message_id = 'none'"),
        "t");
    CHECK_EQ(bed.world.number("SELECT unread_messages FROM conversation"), 16);
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("replies and reactions are linked, also to what comes later than they") {
    Bed bed;
    const auto ours = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer");
    bed.apply({reply(text("answer", kAda, 60, "Yes"), "ours"),
               message("heart", kAda, 61, "reaction", {{"message_id", "ours"}, {"emoji", "❤"}}),
               message("none", kAda, 62, "reaction", {{"message_id", "answer"}})});
    CHECK_EQ(bed.message_of("answer", "reply_to_message_id"), "");
    CHECK_EQ(bed.message_of("heart", "data"), R"({"reaction": "❤", "messageId": null})");
    CHECK_EQ(bed.message_of("none", "data"),
             R"({"reaction": "", "messageId": ")" +
                 bed.world.text("SELECT id FROM message WHERE channel_message_id = 'answer'") + "\"}");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element WHERE due_at > now()"), 2);

    bed.apply({}, {status("ours", "sent", 59, ours)});
    bed.told();
    bed.world.pass_time();
    bed.replica.drain();
    CHECK_EQ(bed.message_of("answer", "reply_to_message_id"), ours.text());
    CHECK_EQ(bed.message_of("heart", "data"), R"({"reaction": "❤", "messageId": ")" + ours.text() + "\"}");
    CHECK_EQ(bed.told(), "message.changed message.changed");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);

    // To something that was never here: kept without a link, and given up.
    bed.apply({reply(text("old", kAda, 70, "About that"), "long ago")});
    for (int i = 0; i < 6; ++i) {
      bed.world.pass_time();
      bed.replica.drain();
    }
    CHECK_EQ(bed.message_of("old", "data, reply_to_message_id"), R"({"text": "About that"})");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("edits and revocations change the message") {
    Bed bed;
    const auto edit = [](const std::string& id, std::int64_t seconds, const std::string& body) {
      return message(id, kAda, seconds, "edit",
                     {{"original_message_id", "m1"},
                      {"message", json::object{{"type", "text"}, {"text", json::object{{"body", body}}}}}});
    };
    const auto revoke = message("r", kAda, 90, "revoke", {{"original_message_id", "m1"}});
    bed.apply({text("m1", kAda, 0, "Helo"), edit("e2", 20, "Hello!"), edit("e1", 10, "Hello")});
    CHECK_EQ(bed.message_of("m1", "data"), R"({"text": "Hello!", "editedAt": "2026-01-31T12:00:20.000Z"})");
    CHECK_EQ(bed.told(), "conversation.created message.created message.changed");
    bed.apply({edit("e1", 10, "Hello"), edit("e2", 20, "Hello!")});
    CHECK_EQ(bed.told(), "");
    bed.apply({revoke});
    CHECK_EQ(bed.message_of("m1", "message_type, data"),
             R"(Text {"text": "", "revoked": true, "revokedAt": "2026-01-31T12:01:30.000Z"})");
    bed.apply({edit("e3", 95, "late"), revoke});
    CHECK_EQ(bed.message_of("m1", "data ->> 'revoked'"), "true");
    CHECK_EQ(bed.told(), "message.changed");
    CHECK_EQ(bed.world.number("SELECT total_messages FROM conversation"), 1);
  }

  TEST_CASE("an edit of a caption leaves the file, and one that names a file replaces it") {
    Bed bed;
    const auto edit = [](const std::string& id, std::int64_t seconds, const json::object& image) {
      return message(id, kAda, seconds, "edit",
                     {{"original_message_id", "m1"}, {"message", json::object{{"type", "image"}, {"image", image}}}});
    };
    bed.apply({message("m1", kAda, 0, "image", {{"id", "100"}, {"caption", "Loook"}})});
    bed.apply({edit("e1", 10, {{"caption", "Look"}})});
    CHECK_EQ(bed.message_of("m1", "data ->> 'id', data ->> 'caption'"), "100 Look");
    bed.apply({edit("e2", 20, {{"id", "200"}})});
    CHECK_EQ(bed.message_of("m1", "data ->> 'id', data ->> 'caption'"), "200");
  }

  TEST_CASE("statuses find their message by our id or the channel's, only rise, and end the sending") {
    Bed bed;
    const auto campaign = model::new_uuid();
    const auto ada = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer", campaign);
    const auto bob = bed.world.add_outbound(bed.organization, "+" + std::string(kBob), "Offer", campaign);
    const auto outbound = [&](const Uuid& id) {
      return bed.world.text(
          "SELECT concat_ws(' ', status, channel_message_id, error_code, error_text, status_at at time "
          "zone 'utc') FROM message WHERE id = " +
          quoted(id));
    };
    // Before the answer to the sending: it settles what was in doubt.
    bed.apply({}, {status("w1", "sent", 1, ada), status("w2", "sent", 1, bob)});
    CHECK_EQ(outbound(ada), "Sent w1 2026-01-31 12:00:01");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM outgoing"), 0);
    CHECK_EQ(bed.told(), "message.status message.status campaign.messages");
    CHECK_EQ(bed.world.text("SELECT changes -> 2 ->> 'count' FROM outbox"), "2");

    bed.apply({}, {status("w1", "read", 9), status("w1", "delivered", 5), status("w1", "sent", 1)});
    CHECK_EQ(outbound(ada), "Read w1 2026-01-31 12:00:09");
    CHECK_EQ(bed.told(), "message.status campaign.messages");
    bed.apply({}, {status("w1", "delivered", 5), status("w1", "failed", 12), status("w1", "deleted", 13)});
    CHECK_EQ(outbound(ada), "Read w1 2026-01-31 12:00:09");
    CHECK_EQ(bed.told(), "");

    bed.apply({}, {status("w2", "failed", 6)});
    CHECK_EQ(outbound(bob), "UnDelivered w2 131026 Message undeliverable: Not a user. 2026-01-31 12:00:06");
    bed.apply({}, {status("w2", "played", 30)});
    CHECK_EQ(outbound(bob), "Read w2 2026-01-31 12:00:30");
  }

  TEST_CASE("blocked contacts neither notify nor reopen, and the channel's own messages are kept quietly") {
    Bed bed;
    bed.apply({text("m1", kAda, 0, "Hello")});
    bed.world.database.execute("UPDATE conversation SET status = 'Closed'");
    bed.world.contacts.sql().rows("UPDATE contact SET status = 'Blocked'");
    bed.told();
    bed.apply({text("m2", kAda, 5, "Let me in"), text("m3", kBob, 5, "Hi")});
    CHECK_EQ(bed.world.text("SELECT string_agg(concat_ws(' ', status, total_messages, unread_messages), ', ' ORDER BY "
                            "created_at) FROM conversation"),
             "Closed 2 1, Active 1 1");
    CHECK_EQ(bed.message_of("m2", "status"), "Read");
    CHECK_EQ(bed.told(), "conversation.created message.created");
    CHECK_EQ(
        bed.world.text("SELECT last_inbound_at = '2026-01-31T12:00:00Z' FROM conversation WHERE status = 'Closed'"),
        "t");

    // A blocked one who was never here.
    bed.world.contacts.add_contact(bed.organization, "Pest", "+4915100000009", "Blocked");
    bed.apply({text("m4", "4915100000009", 6, "Hi"), text("m5", "4915100000009", 7, "Hi")});
    CHECK_EQ(bed.told(), "");
    CHECK_EQ(bed.world.text("SELECT concat_ws(' ', status, total_messages, unread_messages) FROM conversation ORDER BY "
                            "id DESC LIMIT 1"),
             "Closed 2 0");

    // A number changed: the contact has the new one, and the conversation stays theirs.
    bed.apply({message("m6", kBob, 8, "system",
                       {{"type", "user_changed_number"}, {"body", "changed"}, {"wa_id", "4915100000003"}})});
    bed.apply({text("m7", "4915100000003", 9, "My new number")});
    CHECK_EQ(
        bed.world.text(
            "SELECT concat_ws(' ', status, total_messages, unread_messages) FROM conversation WHERE status = 'Active'"),
        "Active 3 2");
    CHECK_EQ(bed.message_of("m6", "message_type, status, data ->> 'body'"), "System Read changed");
  }

  TEST_CASE(
      "a user's id that changed takes contact, conversation and opt-out along, whatever comes first and how often") {
    const auto changed = [](const std::string& id) {
      return json::object{{"id", id},
                          {"timestamp", kNoon + 10},
                          {"type", "system"},
                          {"system", json::object{{"type", "user_changed_user_id"},
                                                  {"body", "changed"},
                                                  {"previous_user_id", kShy},
                                                  {"user_id", "US.new"}}}};
    };
    for (const bool early : {false, true}) {
      Bed bed;
      bed.world.database.execute("INSERT INTO opt_out_settings VALUES (" + quoted(bed.organization) +
                                 ", '{stop}', '{start}', '', '')");
      bed.apply({text("m1", kShy, 0, "stop")});
      const auto contact = bed.world.contact_of(bed.organization, kShy);
      bed.world.contacts.sql().rows("UPDATE contact SET status = 'OptedOut', status_at = now()");
      if (early) bed.apply({text("m2", "US.new", 20, "It is me")});
      for (int i = 0; i < 3; ++i) bed.apply({changed("m3")});
      bed.apply({text("m2", "US.new", 20, "It is me")});
      CHECK_EQ(bed.world.contact_of(bed.organization, "US.new"), contact);
      CHECK_EQ(bed.world.contacts.sql().value("SELECT string_agg(status, ' ') FROM contact"), "OptedOut");
      CHECK_EQ(bed.message_of("m3", "message_type, status, data ->> 'user_id'"), "System Read US.new");
      CHECK_EQ(bed.world.number("SELECT count(*) FROM message"), 3);
      CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
    }
  }

  TEST_CASE("what the channel decided about a template is known here, whose webhooks so ever tell it") {
    Bed bed;
    bed.world.database.execute(
        "INSERT INTO template (organization_id, id, business_account_id, name, language, category, status, components) "
        "VALUES (" +
        quoted(bed.organization) + ", '168', '7', 'cart', 'en', 'MARKETING', 'PENDING', '[]')");
    bed.world.receive(
        R"({"entry":[{"id":"7","changes":[{"field":"message_template_status_update","value":{"event":"REJECTED",)"
        R"("message_template_id":168,"reason":"INVALID_FORMAT"}},{"field":"template_category_update","value":{}}]}]})");
    bed.replica.drain();
    CHECK_EQ(bed.world.text("SELECT status || ' ' || status_reason FROM template"), "REJECTED INVALID_FORMAT");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("what is left of a deleted contact does not learn anything more about them") {
    Bed bed;
    const auto ours = bed.world.add_outbound(bed.organization, "+" + std::string(kAda), "Offer");
    bed.apply({text("m1", kAda, 0, "Hello")}, {status("w1", "sent", 1, ours)});
    bed.world.database.execute(
        "UPDATE conversation SET status = 'Deleted', tombstone = true; UPDATE message SET data = '{}', "
        "channel_message_id = NULL");
    bed.apply({message("e1", kAda, 9, "edit",
                       {{"original_message_id", "m1"},
                        {"message", json::object{{"type", "text"}, {"text", json::object{{"body", "again"}}}}}})},
              {status("w1", "failed", 5)});
    CHECK_EQ(bed.world.text("SELECT string_agg(concat_ws(' ', data, status, error_code, error_text, "
                            "channel_message_id), ', ' ORDER BY created_at) FROM message"),
             "{} UnDelivered 131026, {} Unread");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM parked_element"), 0);
  }

  TEST_CASE("what comes to a number after it moved is nothing to who had it") {
    World world;
    const auto former = world.connect(kNumber);
    Replica replica(world);
    world.receive(body_of({text("w1", "4915100000001", 0, "to the first")}));
    replica.drain();
    const auto rows = [&](const Uuid& organization) {
      return world.number("SELECT (SELECT count(*) FROM message WHERE organization_id = " + quoted(organization) +
                          ") + (SELECT count(*) FROM parked_element WHERE organization_id = " + quoted(organization) +
                          ")");
    };
    REQUIRE(rows(former) == 1);
    SUBCASE("to another organization") {
      const auto now = world.connect(kNumber);
      world.receive(body_of({text("w2", "4915100000001", 1, "to the second")}));
      replica.drain();
      CHECK(rows(former) == 1);
      CHECK(rows(now) == 1);
    }
    SUBCASE("and nobody has it yet") {
      world.organizations.clear();
      world.receive(body_of({text("w2", "4915100000001", 1, "to the second")}));
      replica.drain();
      CHECK(rows(former) == 1);
      const auto now = world.connect(kNumber);
      world.pass_time();
      replica.drain();
      CHECK(rows(former) == 1);
      CHECK(rows(now) == 1);
    }
    SUBCASE("and the channel sent it for another business account: it is the owner's of that, once there is one") {
      auto body = body_of({text("w2", "4915100000001", 1, "to the second")}, {status("w1", "read", 2)});
      body.replace(body.find(R"("id":"7")"), 8, R"("id":"8")");
      world.receive(body);
      replica.drain();
      CHECK(rows(former) == 1);
      CHECK(world.text("SELECT string_agg(DISTINCT error, '') FROM parked_element") ==
            "this phone number is connected with another business account");
      const auto now = world.connect(kNumber);
      world.business_account = "8";
      world.pass_time();
      replica.drain();
      CHECK(rows(former) == 1);
      CHECK(rows(now) == 1);
      CHECK(world.number("SELECT count(*) FROM parked_element WHERE organization_id IS NULL") == 1);  // the status
    }
    CHECK(world.number("SELECT count(*) FROM message WHERE organization_id = " + quoted(former)) == 1);
  }

  TEST_CASE("without organizations what comes to a number waits, though its owner was known") {
    World world;
    const auto former = world.connect(kNumber);
    Replica replica(world);
    world.receive(body_of({text("w1", "4915100000001", 0, "to the first")}));
    replica.drain();
    replica.organizations_down = true;
    const auto now = world.connect(kNumber);  // which nobody here can know
    world.receive(body_of({text("w2", "4915100000001", 1, "to the second")}));
    CHECK_EQ(replica.work(), nullptr);
    CHECK(world.number("SELECT count(*) FROM message") == 1);
    CHECK(world.text("SELECT error FROM parked_element WHERE due_at IS NOT NULL") ==
          "organizations did not answer whose this phone number is");
    replica.organizations_down = false;
    world.pass_time();
    replica.drain();
    CHECK(world.number("SELECT count(*) FROM message WHERE organization_id = " + quoted(former)) == 1);
    CHECK(world.number("SELECT count(*) FROM message WHERE organization_id = " + quoted(now)) == 1);
  }

  TEST_CASE("what cannot be read is parked, and what is of no interest is passed over") {
    Bed bed;
    for (const auto* body : {"no JSON", "[]", "{\"entry\":7}", "{\"entry\":[{\"changes\":[{\"field\":\"messages\""})
      bed.world.receive(body);
    bed.world.receive(R"({"entry":[7,{"changes":[null,{"field":"anything","value":{}},{"field":"messages"}]}]})");
    bed.world.receive(body_of(
        {json::value("what?"), json::object{{"id", "anonymous"}, {"type", "text"}}, text("good", kAda, 0, "Hi")}));
    bed.world.receive(body_of({text("elsewhere", kAda, 0, "Hi")}, {}, "999"));
    bed.replica.drain();
    CHECK_EQ(bed.world.text("SELECT string_agg(kind || ' ' || n, ', ' ORDER BY kind) FROM (SELECT kind, count(*) AS n "
                            "FROM parked_element GROUP BY kind) p"),
             "body 4, message 3");
    CHECK_EQ(bed.world.number("SELECT count(*) FROM message"), 1);
    CHECK_EQ(bed.world.text("SELECT phone_number_id || ' ' || error FROM parked_element WHERE due_at IS NOT NULL"),
             "999 no organization has connected this phone number");
    // Somebody connects it.
    const auto late = bed.world.connect("999");
    Replica another(bed.world);
    bed.world.pass_time();
    another.drain();
    CHECK_EQ(bed.world.number("SELECT count(*) FROM message WHERE organization_id = " + quoted(late)), 1);
  }
}
