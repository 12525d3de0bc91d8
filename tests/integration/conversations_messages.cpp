// Messages: sent, listed, found.
#include <algorithm>
#include <boost/json/serialize.hpp>

#include "conversations/messages/outgoing.hpp"
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using identity::Permission;

namespace {

constexpr auto kText = R"({"messageType":"Text","messageData":{"text":"Hello"}})";
constexpr auto kTemplate = R"({"messageType":"Template","messageData":{"name":"hello_world","language":"en_US"}})";

// An Active conversation with a contact that can be reached and wrote an hour ago.
struct Open {
  explicit Open(Service& service) : id(service.database.add_conversation(service.organization, service.contact)) {
    service.connect();
    service.open_window(id, 23);
  }
  std::string messages() const { return path_of(id) + "/messages"; }
  Uuid id;
};

std::string detail_of(const http::Response& response) {
  return std::string(json_of(response).at("detail").as_string());
}

std::string id_of(const http::Response& response) {
  return std::string(json_of(response).at("message").at("uniqueId").as_string());
}

std::vector<std::string> ids_in(const http::Response& response) {
  std::vector<std::string> out;
  const auto json = json_of(response);
  for (const auto& message : json.at("messages").as_array()) out.emplace_back(message.at("uniqueId").as_string());
  return out;
}

std::string reply(const std::string& id) {
  return R"({"messageType":"Text","messageData":{"text":"Yes"},"replyToMessageId":")" + id + "\"}";
}
std::string reaction(const std::string& id) {
  return R"({"messageType":"Reaction","messageData":{"reaction":"👍","messageId":")" + id + "\"}}";
}

}  // namespace

TEST_SUITE("integration: conversations messages") {
  TEST_CASE("what is sent is Queued, on its way, told of, and found") {
    Service service;
    const Open open(service);
    const auto sent = service.post(open.messages(), kText);
    REQUIRE_MESSAGE(sent.status == 201, sent.body);
    const auto id = id_of(sent);
    CHECK(has(sent, "Location: /api/messages/" + id + "\r\n"));
    const auto message = json_of(sent).at("message");
    CHECK(keys_of(message) == std::vector<std::string>{"uniqueId", "conversationId", "direction", "status",
                                                       "messageType", "createdAt", "replyToMessageId",
                                                       "messagingMessageId", "messageData", "errorCode", "errorText",
                                                       "sentBy", "campaignId"});
    CHECK(message.at("direction").as_string() == "OutBound");
    CHECK(message.at("status").as_string() == "Queued");
    CHECK(message.at("messageData").at("text").as_string() == "Hello");
    CHECK(message.at("messagingMessageId").is_null());
    CHECK(message.at("errorCode").is_null());
    CHECK(service.get("/api/messages/" + id).body == sent.body);
    CHECK(has(service.get("/api/messages/" + id), "ETag: "));

    CHECK(service.database.execute("SELECT concat_ws(' ', message_id, kind, phone_number_id, contact_id, recipient, "
                                   "state, attempt) FROM outgoing") ==
          id + " Message 123 " + service.contact.text() + " +4915100000001 Due 0");
    // Not tried after the window.
    CHECK(service.database.number("SELECT count(*) FROM outgoing o, conversation c WHERE abs(extract(epoch FROM "
                                  "o.expires_at - c.last_inbound_at - interval '24 hours')) < 1") == 1);
    CHECK(service.database.number("SELECT count(*) FROM sender WHERE phone_number_id = '123'") == 1);
    CHECK(service.database.execute("SELECT changes -> 0 ->> 'type' FROM outbox") == "message.created");
    CHECK(service.database.execute("SELECT changes -> 0 ->> 'messageId' FROM outbox") == id);
    CHECK(service.database.execute("SELECT changes -> 0 ->> 'at' FROM outbox") == message.at("createdAt").as_string());
    CHECK(service.database.drifted() == 0);
    CHECK(service.contacts.asked("/internal/contacts/addresses") ==
          std::vector<std::string>{"/internal/contacts/addresses?organization_id=" + service.organization.text() +
                                   "&contact_ids=" + service.contact.text()});
  }

  TEST_CASE("outside the service window nothing but a Template is sent") {
    Service service;
    const Open open(service);
    SUBCASE("they never wrote") {
      service.database.execute("UPDATE conversation SET last_inbound_at = NULL");
      CHECK(detail_of(service.post(open.messages(), kText)).find("has not written yet") != std::string::npos);
    }
    SUBCASE("they wrote a day ago") {
      service.open_window(open.id, 0);
      const auto refused = service.post(open.messages(), kText);
      CHECK(refused.status == 409);
      const std::string end(
          json_of(service.get(path_of(open.id))).at("conversation").at("serviceWindowEndsAt").as_string());
      CHECK(detail_of(refused).find("24 hours ago") != std::string::npos);
      CHECK(detail_of(refused).find(end) != std::string::npos);
    }
    CHECK(service.post(open.messages(), kText).status == 409);
    CHECK(service.database.number("SELECT count(*) FROM message") == 0);
    CHECK(service.post(open.messages(), kTemplate).status == 201);
    CHECK(service.database.number("SELECT count(*) FROM outgoing WHERE expires_at - now() BETWEEN interval '23 hours' "
                                  "AND interval '24 hours'") == 1);
  }

  TEST_CASE("the window is the contact's: what they wrote in a Closed conversation opens it") {
    Service service;
    const Open open(service);
    service.database.execute("UPDATE conversation SET last_inbound_at = NULL");
    const auto closed = service.database.add_conversation(service.organization, service.contact, "Closed");
    service.open_window(closed, 1);
    CHECK(service.post(open.messages(), kText).status == 201);
    CHECK(service.post(path_of(closed) + "/messages", kText).status == 409);
    // Another contact's is not.
    const auto other = service.database.add_conversation(service.organization, model::new_uuid());
    service.open_window(other, 24);
    service.database.execute("UPDATE conversation SET last_inbound_at = NULL WHERE id <> " + quoted(other));
    CHECK(service.post(open.messages(), kText).status == 409);
  }

  TEST_CASE("who is not to be reached is not written to") {
    Service service;
    const Open open(service);
    auto& addresses = service.contacts.answers["/internal/contacts/addresses"];
    const auto address = [&](const std::string& fields) {
      addresses.body = service.contact.text() + " {" + fields + "}\n";
      return service.post(open.messages(), kText);
    };
    CHECK(address(R"("phone":"+49151","channelUserId":null,"status":"Blocked","name":"A")").status == 409);
    CHECK(address(R"("phone":null,"channelUserId":null,"status":"Active","name":"A")").status == 409);
    CHECK(service.database.number("SELECT count(*) FROM message") == 0);
    CHECK(address(R"("phone":"+49151","channelUserId":"DE.1","status":"OptedOut","name":"A")").status == 201);
    CHECK(address(R"("phone":null,"channelUserId":"DE.1","status":"Active","name":"A")").status == 201);
    CHECK(service.database.execute("SELECT string_agg(recipient, ' ' ORDER BY recipient) FROM outgoing") ==
          "+49151 DE.1");
    addresses.body = "";
    CHECK(detail_of(service.post(open.messages(), kText)) == "the contact was deleted");
    addresses = {500, ""};
    CHECK(service.post(open.messages(), kText).status == 503);
  }

  TEST_CASE("without an account, or without organizations, nothing is sent") {
    Service service;
    const Open open(service);
    service.organizations.answers["/internal/accounts"] = {404, "{}"};
    SUBCASE("none is connected") {
      const auto refused = service.post(open.messages(), kText);
      CHECK(refused.status == 409);
      CHECK(detail_of(refused).find("connect a messaging business account") != std::string::npos);
    }
    SUBCASE("out of reach") {
      service.organizations.stop();
      CHECK(service.post(open.messages(), kText).status == 503);
    }
    CHECK(service.database.number("SELECT count(*) FROM message") == 0);
  }

  TEST_CASE("nothing is sent in a Closed conversation") {
    Service service;
    const Open open(service);
    service.database.execute("UPDATE conversation SET status = 'Closed'");
    CHECK(service.post(open.messages(), kText).status == 409);
    service.database.execute("UPDATE conversation SET status = 'Deleted'");
    CHECK(service.post(open.messages(), kText).status == 404);
    CHECK(service.contacts.asked("/internal/contacts/addresses").empty());
  }

  TEST_CASE("replies and reactions name messages of the conversation that the channel knows") {
    Service service;
    const Open open(service);
    const auto received = service.database.add_message(service.organization, open.id, "Read", 1);
    const auto accepted = service.database.add_message(service.organization, open.id, "Sent", 2);
    const auto queued = service.database.add_message(service.organization, open.id, "Queued", 3);
    service.database.execute("UPDATE message SET channel_message_id = 'wamid.1' WHERE id = " + quoted(accepted));
    const auto other = service.database.add_conversation(service.organization, model::new_uuid());
    const auto elsewhere = service.database.add_message(service.organization, other, "Read", 1);
    const auto foreign_conversation = service.database.add_conversation(model::new_uuid(), service.contact);
    const auto foreign = service.database.add_message(
        *Uuid::parse(service.database.execute("SELECT organization_id FROM conversation WHERE id = " +
                                              quoted(foreign_conversation))),
        foreign_conversation, "Read", 1);
    for (const auto& [make, pointer] : std::vector<std::pair<std::string (*)(const std::string&), std::string>>{
             {reply, "/replyToMessageId"}, {reaction, "/messageData/messageId"}}) {
      INFO(pointer);
      for (const auto& good : {received, accepted}) {
        const auto sent = service.post(open.messages(), make(good.text()));
        CHECK_MESSAGE(sent.status == 201, sent.body);
      }
      for (const auto& unknown : {elsewhere, foreign, model::new_uuid()}) {
        const auto refused = service.post(open.messages(), make(unknown.text()));
        CHECK(refused.status == 400);
        CHECK(pointer_of(refused) == pointer);
      }
      const auto early = service.post(open.messages(), make(queued.text()));
      CHECK(early.status == 409);
      CHECK(pointer_of(early) == pointer);
      CHECK(service.post(open.messages(), make("7")).status == 400);
    }
    CHECK(service.database.number("SELECT count(*) FROM message WHERE reply_to_message_id IS NOT NULL") == 2);
  }

  TEST_CASE("under a key it is sent once, and answered again while others are away") {
    Service service;
    const Open open(service);
    service.extra = {{"Idempotency-Key", "k"}};
    const auto sent = service.post(open.messages(), kText);
    CHECK(sent.status == 201);
    service.contacts.stop();
    service.organizations.stop();
    const auto again = service.post(open.messages(), kText);
    CHECK(again.status == 201);
    CHECK(again.body == sent.body);
    CHECK(service.post(open.messages(), kTemplate).status == 422);
    CHECK(service.database.number("SELECT count(*) FROM message") == 1);
  }

  TEST_CASE("many at once: each once, and their times in the order in which they were committed") {
    Service service;
    const Open open(service);
    const auto responses = service.post_all({40, {open.messages(), kText}});
    for (const auto& response : responses) CHECK_MESSAGE(response.status == 201, response.body);
    CHECK(service.database.number("SELECT count(*) FROM message") == 40);
    CHECK(service.database.number("SELECT total_messages FROM conversation") == 40);
    CHECK(
        service.database.number(
            "SELECT count(*) FROM (SELECT m.created_at, lag(m.created_at) OVER (ORDER BY o.id) AS before FROM outbox o "
            "JOIN message m ON m.id = (o.changes -> 0 ->> 'messageId')::uuid) x WHERE before >= created_at") == 0);
    CHECK(service.database.number("SELECT count(*) FROM outgoing o JOIN message m ON m.id = o.message_id WHERE "
                                  "o.created_at = m.created_at") == 40);
  }

  TEST_CASE("what is no message is a 400 that names the field") {
    Service service;
    const Open open(service);
    for (const auto& [body, pointer] : std::vector<std::pair<std::string, std::string>>{
             {"{}", "/messageType"},
             {R"({"messageType":"text","messageData":{"text":"x"}})", "/messageType"},
             {R"({"messageType":"Unsupported","messageData":{}})", "/messageType"},
             {R"({"messageType":"Text"})", "/messageData"},
             {R"({"messageType":"Text","messageData":[]})", "/messageData"},
             {R"({"messageType":"Text","messageData":{"text":""}})", "/messageData/text"},
             {R"({"messageType":"Text","messageData":{"text":"x"},"replyToMessageId":7})", "/replyToMessageId"}}) {
      const auto response = service.post(open.messages(), body);
      INFO(body << " " << response.body);
      CHECK(response.status == 400);
      CHECK(pointer_of(response) == pointer);
    }
    CHECK(service.database.number("SELECT count(*) FROM message") == 0);
  }

  TEST_CASE("a conversation's messages: pages in both directions, its total, its own only") {
    Service service;
    const Open open(service);
    std::vector<std::string> ids;
    for (int i = 0; i < 25; ++i)
      ids.push_back(service.database.add_message(service.organization, open.id, i % 2 ? "Read" : "Sent", i / 3).text());
    const auto other = service.database.add_conversation(service.organization, model::new_uuid());
    service.database.add_message(service.organization, other, "Read", 3);
    const auto text = service.database.execute(
        "SELECT string_agg(id::text, ',' ORDER BY created_at, id) FROM message WHERE conversation_id = " +
        quoted(open.id));
    std::vector<std::string> ascending;
    for (std::size_t at = 0; at < text.size(); at += 37) ascending.push_back(text.substr(at, 36));
    auto descending = ascending;
    std::reverse(descending.begin(), descending.end());
    CHECK(follow(service, ids_in, open.messages() + "?per_page=7") == descending);
    CHECK(follow(service, ids_in, open.messages() + "?per_page=7&order=asc") == ascending);
    const auto second = service.get(open.messages() + "?per_page=10&page=2");
    CHECK(ids_in(second) == std::vector<std::string>(descending.begin() + 10, descending.begin() + 20));
    CHECK(second.body.find(R"("paginationMeta":{"page":2,"per_page":10,"total":25,"nextCursor":")") !=
          std::string::npos);
    CHECK(ids_in(service.get(open.messages() + "?skip=25")).empty());
    const auto link = next_of(service.get(open.messages() + "?per_page=7"));
    const auto cursor = link.substr(link.find("cursor=") + 7);
    for (const auto& [query, pointer] :
         std::vector<std::pair<std::string, std::string>>{{"search=x", "?search"},
                                                          {"cursor=x", "?cursor"},
                                                          {"order=asc&cursor=" + cursor, "?cursor"},
                                                          {"page=2&cursor=" + cursor, "?cursor"},
                                                          {"per_page=101", "?per_page"}}) {
      const auto response = service.get(open.messages() + "?" + query);
      INFO(query);
      CHECK(response.status == 400);
      CHECK(pointer_of(response) == pointer);
    }
  }

  TEST_CASE("messages of all conversations: every filter is what plain SQL says, newest first or last") {
    Service service;
    const auto campaign = model::new_uuid();
    std::vector<Uuid> conversations;
    for (int c = 0; c < 4; ++c) {
      conversations.push_back(service.database.add_conversation(service.organization,
                                                                c < 2 ? service.contact : model::new_uuid(),
                                                                c == 0   ? "Active"
                                                                : c == 1 ? "Closed"
                                                                : c == 2 ? "Active"
                                                                         : "Deleted"));
      for (int i = 0; i < 9; ++i)
        service.database.add_message(service.organization, conversations.back(),
                                     i % 3 == 0   ? "Unread"
                                     : i % 3 == 1 ? "Delivered"
                                                  : "Failed",
                                     i * 3 + c % 2);
    }
    service.database.execute("UPDATE message SET campaign_id = " + quoted(campaign) +
                             " WHERE direction = 'OutBound' AND conversation_id = " + quoted(conversations[2]));
    const auto foreign = model::new_uuid();
    service.database.add_message(foreign, service.database.add_conversation(foreign, service.contact), "Read", 1);
    const std::vector<std::pair<std::string, std::string>> filters{
        {"", "true"},
        {"conversation_id=" + conversations[1].text(), "conversation_id = " + quoted(conversations[1])},
        {"conversation_id=" + conversations[3].text(), "false"},
        {"contact_id=" + service.contact.text(), "contact_id = " + quoted(service.contact)},
        {"contact_id=" + model::new_uuid().text(), "false"},
        {"campaign_id=" + campaign.text(), "campaign_id = " + quoted(campaign)},
        {"direction=InBound", "direction = 'InBound'"},
        {"status=Failed", "status = 'Failed'"},
        {"messageType=Text", "message_type = 'Text'"},
        {"messageType=Image", "false"},
        {"from=2026-01-31T12:05:00Z&to=2026-01-31T12:13:00Z",
         "created_at >= '2026-01-31T12:05:00Z' AND created_at < '2026-01-31T12:13:00Z'"},
        {"from=2026-02-01", "false"},
        {"contact_id=" + service.contact.text() + "&direction=OutBound&status=Delivered&to=2026-01-31T12:20:00Z",
         "contact_id = " + quoted(service.contact) +
             " AND status = 'Delivered' AND created_at < '2026-01-31T12:20:00Z'"},
    };
    for (const auto& [filter, condition] : filters)
      for (const bool ascending : {false, true}) {
        const std::string way = ascending ? "" : " DESC";
        const auto text = service.database.execute(
            "SELECT coalesce(string_agg(m.id::text, ',' ORDER BY m.created_at" + way + ", m.id" + way +
            "), '') FROM message m WHERE m.organization_id = " + quoted(service.organization) +
            " AND m.conversation_id <> " + quoted(conversations[3]) + " AND " + condition);
        std::vector<std::string> expected;
        for (std::size_t at = 0; at < text.size(); at += 37) expected.push_back(text.substr(at, 36));
        const auto target =
            "/api/messages?per_page=5" + (filter.empty() ? "" : "&" + filter) + (ascending ? "&order=asc" : "");
        INFO(target);
        CHECK(follow(service, ids_in, target) == expected);
      }
    for (const auto& [query, pointer] :
         std::vector<std::pair<std::string, std::string>>{{"skip=1", "?skip"},
                                                          {"status=Open", "?status"},
                                                          {"direction=in", "?direction"},
                                                          {"messageType=text", "?messageType"},
                                                          {"from=yesterday", "?from"},
                                                          {"from=2026-01-02&to=2026-01-01", "?to"},
                                                          {"conversation_id=7", "?conversation_id"},
                                                          {"cursor=x", "?cursor"}}) {
      const auto response = service.get("/api/messages?" + query);
      INFO(query);
      CHECK(response.status == 400);
      CHECK(pointer_of(response) == pointer);
    }
  }

  TEST_CASE("of a tombstone's messages nothing is told that was said") {
    Service service;
    const Open open(service);
    const auto id = service.database.add_message(service.organization, open.id, "Failed", 1);
    service.database.execute(
        "UPDATE message SET channel_message_id = 'wamid.x', error_text = 'to Ada';"
        "UPDATE conversation SET status = 'Deleted', tombstone = true");
    const auto message = json_of(service.get("/api/messages/" + id.text())).at("message");
    CHECK(message.at("messageData").at("text").as_string().empty());
    CHECK(message.at("messagingMessageId").is_null());
    CHECK(message.at("errorText").is_null());
    CHECK(json_of(service.get(open.messages())).at("messages").at(0) == message);
    CHECK(json_of(service.get(path_of(open.id))).at("conversation").at("messages").at(0) == message);
    CHECK(json_of(service.get("/api/messages")).at("messages").as_array().empty());
  }

  TEST_CASE("each message tells who sent it, also one that was stored before senders were") {
    Service service;
    const Open open(service);
    const auto sender_of = [&](const std::string& id) {
      const auto message = json_of(service.get("/api/messages/" + id)).at("message");
      const auto page = json_of(service.get(open.messages() + "?per_page=100")).at("messages").as_array();
      CHECK(std::ranges::find(page, message) != page.end());
      const auto all = json_of(service.get("/api/messages?per_page=100")).at("messages").as_array();
      CHECK(std::ranges::find(all, message) != all.end());
      const auto shown = json_of(service.get(path_of(open.id))).at("conversation").at("messages").as_array();
      CHECK(std::ranges::find(shown, message) != shown.end());
      return boost::json::serialize(message.at("sentBy")) + " " + boost::json::serialize(message.at("campaignId"));
    };
    const auto told = [](const std::string& type, const std::string& id = {}, const std::string& member = {}) {
      const auto text = [](const std::string& id) { return id.empty() ? "null" : "\"" + id + "\""; };
      return R"({"type":")" + type + R"(","uniqueId":)" + text(id) + R"(,"memberId":)" + text(member) + "} null";
    };
    const auto member = service.caller.text(), key = model::new_uuid().text(), campaign = model::new_uuid().text();
    CHECK_EQ(sender_of(id_of(service.post(open.messages(), kText))), told("Member", member, member));
    service.api_key = key;
    CHECK_EQ(sender_of(id_of(service.post(open.messages(), kText))), told("ApiKey", key, member));
    const auto add = [&](const std::string& status, const std::string& set = {}) {
      const auto id = service.database.add_message(service.organization, open.id, status, 1);
      if (!set.empty()) service.database.execute("UPDATE message SET " + set + " WHERE id = " + quoted(id));
      return id.text();
    };
    CHECK_EQ(sender_of(add("Sent")), told("Unknown"));
    CHECK_EQ(sender_of(add("Unread")), told("Contact", service.contact.text()));
    CHECK_EQ(sender_of(add("Sent", "sent_by = 'App'")), told("App"));
    CHECK_EQ(sender_of(add("Sent", "sent_by = 'Automatic'")), told("Automatic"));
    CHECK_EQ(sender_of(add("Read", "message_type = 'System'")), told("Channel"));
    CHECK_EQ(sender_of(add("Read", "direction = 'OutBound', message_type = 'System'")), told("Channel"));
    CHECK_EQ(sender_of(add("Sent", "campaign_id = '" + campaign + "'")),
             R"({"type":"Campaign","uniqueId":")" + campaign + R"(","memberId":null} ")" + campaign + "\"");
    CHECK_THROWS(add("Sent", "sent_by = 'Somebody'"));
  }

  TEST_CASE("each route asks for its permission") {
    Service service;
    const Open open(service);
    service.permissions.remove(Permission::create_message);
    CHECK(service.post(open.messages(), kText).status == 403);
    CHECK(service.get(open.messages()).status == 200);
    service.permissions.remove(Permission::get_message);
    CHECK(service.get(open.messages()).status == 403);
    CHECK(service.get("/api/messages").status == 403);
    CHECK(service.get("/api/messages/" + open.id.text()).status == 403);
  }
}
