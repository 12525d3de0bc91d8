// Starting, deleting, assigning, reading and tagging conversations.
#include <set>

#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using identity::Permission;

namespace {

// A conversation whose contact is known.
struct Known {
  explicit Known(Service& service) : id(service.database.add_conversation(service.organization, service.contact)) {
    service.contacts.body = service.contact.text() + " " + kContact + "\n";
  }
  Uuid id;
};

std::string start_body(const Uuid& contact, const std::string& message = "") {
  return R"({"contactId":")" + contact.text() + "\"" + (message.empty() ? "" : ",\"message\":" + message) + "}";
}

constexpr auto kTemplate = R"({"messageType":"Template","messageData":{"name":"hello_world","language":"en_US"}})";
constexpr auto kText = R"({"messageType":"Text","messageData":{"text":"Hello"}})";

// The types that were told, in order.
std::string told(const Service& service) {
  return service.database.execute(
      "SELECT coalesce(string_agg(change ->> 'type', ' ' ORDER BY id, n), '') FROM outbox, "
      "jsonb_array_elements(changes) "
      "WITH ORDINALITY AS x (change, n)");
}

}  // namespace

TEST_SUITE("integration: conversations changes") {
  TEST_CASE("one is started; the Active one that there is is answered") {
    Service service;
    service.contacts.body = service.contact.text() + " " + kContact + "\n";
    const auto made = service.post("/api/conversation", start_body(service.contact));
    REQUIRE_MESSAGE(made.status == 201, made.body);
    const auto conversation = json_of(made).at("conversation");
    const std::string id(conversation.at("uniqueId").as_string());
    CHECK(has(made, "Location: /api/conversation/" + id + "\r\n"));
    CHECK(conversation.at("initiatedBy").as_string() == "Member");
    CHECK(conversation.at("status").as_string() == "Active");
    CHECK(conversation.at("contact").at("name").as_string() == "Ada");
    CHECK(conversation.at("messages").as_array().empty());
    CHECK(told(service) == "conversation.created");
    const auto again = service.post("/api/conversation", start_body(service.contact));
    CHECK(again.status == 200);
    CHECK(again.body == made.body);
    CHECK(again.body == service.get("/api/conversation/" + id).body);
    service.post("/api/conversation/" + id, R"({"status":"Closed"})");
    CHECK(service.post("/api/conversation", start_body(service.contact)).status == 201);
    CHECK(service.database.number("SELECT count(*) FROM conversation") == 2);
  }

  TEST_CASE("one is started with its first message") {
    Service service;
    service.connect();
    service.contacts.body = service.contact.text() + " " + kContact + "\n";
    // Who never wrote is sent templates only; nothing is begun.
    const auto early = service.post("/api/conversation", start_body(service.contact, kText));
    CHECK(early.status == 409);
    CHECK(service.database.number("SELECT count(*) FROM conversation") == 0);
    const auto made = service.post("/api/conversation", start_body(service.contact, kTemplate));
    REQUIRE_MESSAGE(made.status == 201, made.body);
    const auto conversation = json_of(made).at("conversation");
    CHECK(conversation.at("totalMessages").as_int64() == 1);
    CHECK(conversation.at("messages").at(0).at("status").as_string() == "Queued");
    CHECK(service.database.number("SELECT count(*) FROM outgoing WHERE kind = 'Message'") == 1);
    CHECK(told(service) == "conversation.created message.created");
    const auto second = service.post("/api/conversation", start_body(service.contact, kTemplate));
    CHECK(second.status == 200);
    CHECK(json_of(second).at("conversation").at("totalMessages").as_int64() == 2);
    CHECK(service.database.drifted() == 0);
  }

  TEST_CASE("fifty who start with the same contact at once have one conversation") {
    Service service;
    service.contacts.body = service.contact.text() + " " + kContact + "\n";
    const auto responses = service.post_all({50, {"/api/conversation", start_body(service.contact)}});
    std::set<std::string> ids;
    int made = 0;
    for (const auto& response : responses) {
      CHECK_MESSAGE(response.status / 100 == 2, response.body);
      made += response.status == 201;
      ids.emplace(json_of(response).at("conversation").at("uniqueId").as_string());
    }
    CHECK(made == 1);
    CHECK(ids.size() == 1);
    CHECK(service.database.number("SELECT count(*) FROM outbox") == 1);
  }

  TEST_CASE("what starting refuses") {
    Service service;
    service.contacts.body = service.contact.text() + " " + kContact + "\n";
    const auto unknown = service.post("/api/conversation", start_body(model::new_uuid()));
    CHECK(unknown.status == 400);
    CHECK(pointer_of(unknown) == "/contactId");
    for (const auto& [body, pointer] : std::vector<std::pair<std::string, std::string>>{
             {"{}", "/contactId"},
             {R"({"contactId":7})", "/contactId"},
             {start_body(service.contact, "7"), "/message"},
             {start_body(service.contact, "{}"), "/message/messageType"},
             {start_body(service.contact, R"({"messageType":"Text","messageData":"x"})"), "/message/messageData"},
             {start_body(service.contact, R"({"messageType":"Text","messageData":{}})"), "/message/messageData/text"},
             {start_body(service.contact, R"({"messageType":"System","messageData":{}})"), "/message/messageType"}}) {
      const auto response = service.post("/api/conversation", body);
      INFO(body);
      CHECK(response.status == 400);
      CHECK(pointer_of(response) == pointer);
    }
    service.permissions.remove(Permission::create_message);
    CHECK(service.post("/api/conversation", start_body(service.contact, kTemplate)).status == 403);
    CHECK(service.post("/api/conversation", start_body(service.contact)).status == 201);
    service.contacts.stop();
    CHECK(service.post("/api/conversation", start_body(service.contact)).status == 503);
  }

  TEST_CASE("a conversation that is deleted is gone, and its messages with it") {
    Service service;
    const Known known(service);
    const auto message = service.database.add_message(service.organization, known.id, "Unread", 1);
    CHECK(service.get("/api/messages/" + message.text()).status == 200);
    CHECK(service.remove(path_of(known.id)).status == 204);
    CHECK(told(service) == "conversation.status");
    CHECK(service.database.execute("SELECT changes -> 0 ->> 'to' FROM outbox") == "Deleted");
    CHECK(service.get(path_of(known.id)).status == 404);
    CHECK(service.get(path_of(known.id) + "/messages").status == 404);
    CHECK(service.get("/api/messages/" + message.text()).status == 404);
    CHECK(json_of(service.get("/api/messages")).at("messages").as_array().empty());
    CHECK(json_of(service.get("/api/conversations")).at("conversations").as_array().empty());
    CHECK(service.remove(path_of(known.id)).status == 404);
    for (const auto* change : {"/read", "/unassign"}) CHECK(service.post(path_of(known.id) + change, "").status == 404);
    // The contact's next conversation is another one.
    CHECK(service.post("/api/conversation", start_body(service.contact)).status == 201);
  }

  TEST_CASE("a member is put in charge and taken out of it") {
    Service service;
    const Known known(service);
    const auto member = model::new_uuid();
    service.organizations.body = member.text() + " " + kMember + "\n";
    const auto body = R"({"memberId":")" + member.text() + "\"}";
    const auto assigned = service.post(path_of(known.id) + "/assign", body);
    REQUIRE_MESSAGE(assigned.status == 200, assigned.body);
    CHECK(json_of(assigned).at("conversation").at("assignedTo").at("uniqueId").as_string() == "m");
    CHECK(assigned.body == service.get(path_of(known.id)).body);
    CHECK(service.post(path_of(known.id) + "/assign", body).body == assigned.body);
    CHECK(told(service) == "conversation.changed");
    const auto unassigned = service.post(path_of(known.id) + "/unassign", "");
    CHECK(json_of(unassigned).at("conversation").at("assignedTo").is_null());
    CHECK(service.post(path_of(known.id) + "/unassign", "").body == unassigned.body);
    CHECK(told(service) == "conversation.changed conversation.changed");

    const auto unknown =
        service.post(path_of(known.id) + "/assign", R"({"memberId":")" + model::new_uuid().text() + "\"}");
    CHECK(unknown.status == 400);
    CHECK(pointer_of(unknown) == "/memberId");
    CHECK(pointer_of(service.post(path_of(known.id) + "/assign", "{}")) == "/memberId");
    service.permissions.remove(Permission::assign_conversation);
    CHECK(service.post(path_of(known.id) + "/assign", body).status == 403);
    CHECK(service.post(path_of(known.id) + "/unassign", "").status == 200);
    service.permissions = identity::PermissionSet::all();
    service.organizations.stop();
    CHECK(service.post(path_of(known.id) + "/assign", body).status == 503);
    CHECK(service.post(path_of(known.id) + "/unassign", "").status == 200);
  }

  TEST_CASE("of two who take a conversation that they saw unassigned, one does") {
    Service service;
    const Known known(service);
    const auto member = model::new_uuid();
    service.organizations.body = member.text() + " " + kMember + "\n";
    const auto head = service.get(path_of(known.id)).head;
    const auto at = head.find("ETag: ") + 6;
    service.extra = {{"If-Match", head.substr(at, head.find("\r\n", at) - at)}};
    const auto body = R"({"memberId":")" + member.text() + "\"}";
    CHECK(service.post(path_of(known.id) + "/assign", body).status == 200);
    CHECK(service.post(path_of(known.id) + "/assign", body).status == 412);
  }

  TEST_CASE("reading: what came in is Read, and the contact is told by the newest") {
    Service service;
    service.connect();
    const Known known(service);
    for (int i = 0; i < 3; ++i) service.database.add_message(service.organization, known.id, "Unread", i);
    const auto newest = service.database.add_message(service.organization, known.id, "Unread", 9);
    const auto sent = service.database.add_message(service.organization, known.id, "Delivered", 10);
    service.database.execute("UPDATE message SET channel_message_id = 'wamid.' || id");
    const auto read = service.post(path_of(known.id) + "/read", "");
    REQUIRE_MESSAGE(read.status == 200, read.body);
    CHECK(json_of(read).at("conversation").at("numberOfUnreadMessages").as_int64() == 0);
    CHECK(service.database.number("SELECT count(*) FROM message WHERE direction = 'InBound' AND status = 'Read' AND "
                                  "status_at IS NOT NULL") == 4);
    CHECK(service.database.execute("SELECT status FROM message WHERE id = " + quoted(sent)) == "Delivered");
    CHECK(service.database.execute("SELECT message_id || ' ' || kind || ' ' || phone_number_id || ' ' || recipient "
                                   "FROM outgoing") == newest.text() + " Receipt 123 " + service.contact.text());
    CHECK(service.database.number("SELECT count(*) FROM sender") == 1);
    CHECK(told(service) == "conversation.changed");
    CHECK(service.post(path_of(known.id) + "/read", "").body == read.body);
    CHECK(told(service) == "conversation.changed");
    CHECK(service.database.drifted() == 0);
  }

  TEST_CASE("reading without an account, and of messages that the channel does not know: Read all the same") {
    Service service;
    const Known known(service);
    service.database.add_message(service.organization, known.id, "Unread", 1);
    SUBCASE("no account") { service.database.execute("UPDATE message SET channel_message_id = 'wamid.1'"); }
    SUBCASE("not the channel's") { service.connect(); }
    CHECK(service.post(path_of(known.id) + "/read", "").status == 200);
    CHECK(service.database.execute("SELECT status FROM message") == "Read");
    CHECK(service.database.number("SELECT count(*) FROM outgoing") == 0);
  }

  TEST_CASE("tags replace those that there were") {
    Service service;
    const Known known(service);
    const auto old = service.database.add_tag(service.organization, known.id);
    const auto kept = service.database.add_tag(service.organization, known.id), added = model::new_uuid();
    auto& resolve = service.contacts.answers["/internal/tags/resolve"];
    resolve.body = R"({"tags":[{"label":"new","uniqueId":")" + added.text() + R"("},{"label":"kept","uniqueId":")" +
                   kept.text() + R"("},{"label":"kept","uniqueId":")" + kept.text() + "\"}]}";
    service.contacts.body += added.text() + " {\"label\":\"new\"}\n" + kept.text() + " {\"label\":\"kept\"}\n";
    const auto path = path_of(known.id) + "/tags";
    const auto changed = service.post(path, R"({"tags":["new","kept"]})");
    REQUIRE_MESSAGE(changed.status == 200, changed.body);
    CHECK(changed.body.find(R"("tags":[{"label":"kept"},{"label":"new"}])") != std::string::npos);
    CHECK(changed.body == service.get(path_of(known.id)).body);
    CHECK(service.contacts.bodies[0] ==
          R"({"organizationId":")" + service.organization.text() + R"(","tags":["new","kept"]})");
    CHECK(service.database.number("SELECT count(*) FROM conversation_tag WHERE tag_id = " + quoted(old)) == 0);
    CHECK(service.post(path, R"({"tags":["new","kept"]})").body == changed.body);
    CHECK(told(service) == "conversation.changed");

    resolve = {400, R"({"detail":"/tags/1","errors":[{"pointer":"/tags/1","detail":"there is no tag x"}]})"};
    const auto unknown = service.post(path, R"({"tags":["new","x"]})");
    CHECK(unknown.status == 400);
    CHECK(pointer_of(unknown) == "/tags/1");
    CHECK(pointer_of(service.post(path, R"({"tags":["a",7]})")) == "/tags/1");
    CHECK(pointer_of(service.post(path, "{}")) == "/tags");
    resolve = {200, R"({"tags":[]})"};
    CHECK(json_of(service.post(path, R"({"tags":[]})")).at("conversation").at("tags").as_array().empty());
    CHECK(service.database.number("SELECT count(*) FROM conversation_tag") == 0);
    resolve = {500, ""};
    CHECK(service.post(path, R"({"tags":["new"]})").status == 503);
  }

  TEST_CASE("a tombstone does not change any more") {
    Service service;
    const Known known(service);
    service.database.execute("UPDATE conversation SET status = 'Deleted', tombstone = true");
    service.contacts.answers["/internal/tags/resolve"] = {200, R"({"tags":[]})"};
    const auto member = model::new_uuid();
    service.organizations.body = member.text() + " " + kMember + "\n";
    CHECK(service.post(path_of(known.id) + "/assign", R"({"memberId":")" + member.text() + "\"}").status == 409);
    CHECK(service.post(path_of(known.id) + "/unassign", "").status == 409);
    CHECK(service.post(path_of(known.id) + "/read", "").status == 409);
    CHECK(service.post(path_of(known.id) + "/tags", R"({"tags":[]})").status == 409);
    CHECK(service.post(path_of(known.id) + "/messages", kTemplate).status == 409);
    CHECK(service.remove(path_of(known.id)).status == 409);
  }

  TEST_CASE("another organization's conversations and unknown ones are the same 404") {
    Service service;
    const auto foreign = service.database.add_conversation(model::new_uuid(), service.contact);
    const auto member = model::new_uuid();
    service.organizations.body = member.text() + " " + kMember + "\n";
    for (const auto& path : {path_of(foreign), path_of(model::new_uuid()), std::string("/api/conversation/7")}) {
      INFO(path);
      CHECK(service.post(path + "/assign", R"({"memberId":")" + member.text() + "\"}").status == 404);
      CHECK(service.post(path + "/unassign", "").status == 404);
      CHECK(service.post(path + "/read", "").status == 404);
      CHECK(service.post(path + "/tags", R"({"tags":[]})").status == 404);
      CHECK(service.post(path + "/messages", kTemplate).status == 404);
      CHECK(service.get(path + "/messages").status == 404);
      CHECK(service.remove(path).status == 404);
    }
    CHECK(service.database.number("SELECT count(*) FROM outbox") == 0);
  }
}
