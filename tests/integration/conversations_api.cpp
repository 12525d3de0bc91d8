// The routes of the conversations service: what a member gets, composed of what the other contexts know.
#include "tests/integration/conversations_service.hpp"

using namespace parley;
using namespace parley::conversations_tests;
using identity::Permission;

namespace {

// A conversation with everything: in charge `member`, with two tags and a message.
struct Full {
  explicit Full(Service& service) {
    const auto& database = service.database;
    id = database.add_conversation(service.organization, service.contact);
    message = database.add_message(service.organization, id, "Unread", 1);
    for (auto& tag : tags) tag = database.add_tag(service.organization, id);
    database.execute("UPDATE conversation SET assigned_member_id = " + quoted(member));
    service.contacts.body = tags[1].text() + " {\"label\":\"two\"}\n" + service.contact.text() + " " + kContact + "\n" +
                            tags[0].text() + " {\"label\":\"one\"}\n";
    service.organizations.body = member.text() + " " + kMember + "\n";
  }
  Uuid id, message, tags[2], member = model::new_uuid();
};

}  // namespace

TEST_SUITE("integration: conversations routes") {
  TEST_CASE("GET answers the conversation, composed, with the interface's keys in the interface's order") {
    Service service;
    const Full full(service);
    const auto response = service.get(path_of(full.id));
    CHECK(response.status == 200);
    CHECK_FALSE(has(response, "Parley-Degraded"));
    const auto answer = json_of(response);
    CHECK(keys_of(answer) == std::vector<std::string>{"conversation"});
    const auto& conversation = answer.at("conversation");
    CHECK(keys_of(conversation) == std::vector<std::string>{"uniqueId", "contactId", "campaignId", "organizationId",
                                                            "initiatedBy", "messages", "createdAt", "status", "contact",
                                                            "numberOfUnreadMessages", "totalMessages", "assignedTo",
                                                            "tags", "serviceWindowEndsAt"});
    CHECK(conversation.at("uniqueId").as_string() == full.id.text());
    CHECK(conversation.at("campaignId").is_null());
    CHECK(conversation.at("numberOfUnreadMessages").as_int64() == 1);
    CHECK(conversation.at("totalMessages").as_int64() == 1);
    CHECK(keys_of(conversation.at("messages").at(0)) ==
          std::vector<std::string>{"uniqueId", "conversationId", "direction", "status", "messageType", "createdAt",
                                   "replyToMessageId", "messagingMessageId", "messageData", "errorCode", "errorText",
                                   "sentBy", "campaignId"});
    // What the others gave, byte for byte; tags in the order of their ids.
    CHECK(response.body.find("\"contact\":" + std::string(kContact) + ",") != std::string::npos);
    CHECK(response.body.find("\"assignedTo\":" + std::string(kMember) + ",") != std::string::npos);
    CHECK(response.body.ends_with(R"("tags":[{"label":"one"},{"label":"two"}],"serviceWindowEndsAt":null}})"));
    CHECK(service.get(path_of(full.id)).body == response.body);

    REQUIRE(service.contacts.targets.size() == 2);  // one call a context
    CHECK(service.contacts.targets[0] == "/internal/contacts/parts?organization_id=" + service.organization.text() +
                                             "&contact_ids=" + service.contact.text() +
                                             "&tag_ids=" + full.tags[0].text() + "," + full.tags[1].text());
    REQUIRE(service.organizations.targets.size() == 2);
    CHECK(service.organizations.targets[0] == "/internal/members/summaries?organization_id=" +
                                                  service.organization.text() + "&member_ids=" + full.member.text());
    CHECK_FALSE(service.contacts.callers[0].empty());
  }

  TEST_CASE("without a member in charge organizations are not asked") {
    Service service;
    const auto id = service.database.add_conversation(service.organization, service.contact);
    service.organizations.status = 500;
    const auto response = service.get(path_of(id));
    CHECK(response.status == 200);
    CHECK_FALSE(has(response, "Parley-Degraded"));
    CHECK(service.organizations.targets.empty());
    const auto answer = json_of(response);
    CHECK(answer.at("conversation").at("assignedTo").is_null());
    const auto& contact = answer.at("conversation").at("contact");  // contacts do not know it any more
    CHECK(contact.at("uniqueId").as_string() == service.contact.text());
    CHECK(contact.at("name").as_string().empty());
    CHECK(answer.at("conversation").at("tags").as_array().empty());
  }

  TEST_CASE("a context that fails or is gone leaves its part empty, and the answer says whose") {
    Service service;
    const Full full(service);
    SUBCASE("organizations fail") {
      service.organizations.status = 500;
      const auto response = service.get(path_of(full.id));
      CHECK(response.status == 200);
      CHECK(has(response, "Parley-Degraded: organizations\r\n"));
      CHECK(json_of(response).at("conversation").at("assignedTo").is_null());
      CHECK(json_of(response).at("conversation").at("tags").as_array().size() == 2);
    }
    SUBCASE("both are gone") {
      service.contacts.stop();
      service.organizations.stop();
      const auto response = service.get(path_of(full.id));
      CHECK(response.status == 200);
      CHECK(has(response, "Parley-Degraded: contacts, organizations\r\n"));
      const auto answer = json_of(response);
      CHECK(answer.at("conversation").at("contact").is_null());
      CHECK(answer.at("conversation").at("assignedTo").is_null());
      CHECK(answer.at("conversation").at("tags").as_array().empty());
      CHECK(answer.at("conversation").at("totalMessages").as_int64() == 1);
    }
    SUBCASE("both are gone, and a status is set all the same") {
      service.contacts.stop();
      service.organizations.stop();
      const auto response = service.post(path_of(full.id), R"({"status":"Closed"})");
      CHECK(response.status == 200);
      CHECK(has(response, "Parley-Degraded: contacts, organizations\r\n"));
      CHECK(service.database.execute("SELECT status FROM conversation") == "Closed");
    }
  }

  TEST_CASE("POST sets the status and answers as GET does") {
    Service service;
    const Full full(service);
    const auto response = service.post(path_of(full.id), R"({"status":"Closed","more":1})");
    CHECK(response.status == 200);
    CHECK(json_of(response).at("conversation").at("status").as_string() == "Closed");
    CHECK(response.body == service.get(path_of(full.id)).body);
    CHECK(service.post(path_of(full.id), R"({"status":"Closed"})").status == 200);
    CHECK(service.post(path_of(full.id), R"({"status":"Deleted"})").status == 200);
    CHECK(service.get(path_of(full.id)).status == 404);
    CHECK(service.post(path_of(full.id), R"({"status":"Active"})").status == 404);
  }

  TEST_CASE("POST under a key is answered again as it was, also when there is nothing any more") {
    Service service;
    const Full full(service);
    service.extra = {{"Idempotency-Key", "k"}};
    const auto first = service.post(path_of(full.id), R"({"status":"Deleted"})");
    CHECK(first.status == 200);
    CHECK(json_of(first).at("conversation").at("contact").at("name").as_string() == "Ada");
    service.contacts.status = 500;
    const auto again = service.post(path_of(full.id), R"({"status":"Deleted"})");
    CHECK(again.status == 200);
    CHECK(again.body == first.body);
    CHECK_FALSE(has(again, "Parley-Degraded"));
    CHECK(service.post(path_of(full.id), R"({"status":"Closed"})").status == 422);
    CHECK(service.database.number("SELECT count(*) FROM outbox") == 1);
  }

  TEST_CASE("If-Match: the status is set only of what the caller has seen") {
    Service service;
    const Full full(service);
    const auto tag = [&] {
      service.extra.clear();
      const auto head = service.get(path_of(full.id)).head;
      const auto at = head.find("ETag: ") + 6;
      return head.substr(at, head.find("\r\n", at) - at);
    };
    const auto seen = tag();
    service.database.add_message(service.organization, full.id, "Unread", 2);  // changes what is shown alone
    CHECK(tag() != seen);
    service.extra = {{"If-Match", seen}};
    CHECK(service.post(path_of(full.id), R"({"status":"Closed"})").status == 200);
    CHECK(service.post(path_of(full.id), R"({"status":"Active"})").status == 412);
    CHECK(service.database.execute("SELECT status FROM conversation") == "Closed");
    service.extra = {{"If-Match", tag()}};
    CHECK(service.post(path_of(full.id), R"({"status":"Active"})").status == 200);
  }

  TEST_CASE("If-Match: others are asked before the transaction or not at all, and need not answer") {
    Service service;
    const Full full(service);
    const auto head = service.get(path_of(full.id)).head;
    const auto at = head.find("ETag: ") + 6;
    service.extra = {{"If-Match", head.substr(at, head.find("\r\n", at) - at)}};
    int asked = 0;
    for (auto* neighbour : {&service.contacts, &service.organizations}) {
      neighbour->status = 500;
      neighbour->when_asked = [&] {
        ++asked;
        CHECK(service.database.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND "
                                      "state LIKE 'idle in transaction%'") == 0);
      };
    }
    const auto closed = service.post(path_of(full.id), R"({"status":"Closed"})");
    CHECK(closed.status == 200);
    CHECK(has(closed, "Parley-Degraded: contacts, organizations"));
    CHECK(asked == 2);
    // The transactions of what follows may still be rolled back when others are asked.
    for (auto* neighbour : {&service.contacts, &service.organizations}) neighbour->when_asked = [&] { ++asked; };
    CHECK(service.remove(path_of(full.id)).status == 412);
    service.extra.clear();
    CHECK(service.post(path_of(full.id), R"({"status":"Active"})").status == 200);
    asked = 0;
    service.extra = {{"If-Match", "*"}};
    CHECK(service.remove(path_of(full.id)).status == 204);
    CHECK(asked == 0);
  }

  TEST_CASE("what POST refuses") {
    Service service;
    const auto old = service.database.add_conversation(service.organization, service.contact, "Closed");
    service.database.add_conversation(service.organization, service.contact);
    CHECK(service.post(path_of(old), R"({"status":"Active"})").status == 409);
    for (const auto* body : {R"({"status":"Open"})", R"({"status":"active"})", R"({"status":null})", R"({"status":1})",
                             "{}", "[]", "", "{\"status\":"}) {
      INFO(body);
      CHECK(service.post(path_of(old), body).status == 400);
    }
    const auto response = service.post(path_of(old), R"({"status":"Open"})");
    CHECK(json_of(response).at("errors").at(0).at("pointer").as_string() == "/status");
    CHECK(json_of(response).at("errors").at(0).at("detail").as_string() == "must be one of Active, Closed, Deleted");
    CHECK(service.database.number("SELECT count(*) FROM conversation WHERE status = 'Closed'") == 1);
  }

  TEST_CASE("another organization's conversation, an unknown one and no id at all are the same 404") {
    Service service;
    const auto foreign = service.database.add_conversation(model::new_uuid(), service.contact);
    const auto detail = [](const http::Response& response) { return json_of(response).at("title").as_string(); };
    const auto unknown = service.get(path_of(model::new_uuid()));
    CHECK(unknown.status == 404);
    for (const auto& path : {path_of(foreign), std::string("/api/conversation/7")}) {
      INFO(path);
      CHECK(service.get(path).status == 404);
      CHECK(detail(service.get(path)) == detail(unknown));
      CHECK(service.post(path, R"({"status":"Closed"})").status == 404);
    }
    CHECK(service.contacts.targets.empty());
    CHECK(service.database.execute("SELECT status FROM conversation") == "Active");
  }

  TEST_CASE("each route asks for its permission") {
    Service service;
    const Full full(service);
    service.permissions.remove(Permission::update_conversation);
    CHECK(service.get(path_of(full.id)).status == 200);
    CHECK(service.post(path_of(full.id), R"({"status":"Closed"})").status == 403);
    service.permissions.remove(Permission::get_conversation);
    CHECK(service.get(path_of(full.id)).status == 403);
    CHECK(service.send(http::Method::get, path_of(full.id), "", "").status == 401);
    CHECK(service.ask(path_of(full.id), "contacts").status == 403);
  }

  TEST_CASE("contacts ask for the conversations of many at once; nobody else may") {
    Service service;
    const Full full(service);
    const auto base = "/internal/conversations/of-contacts?organization_id=" + service.organization.text();
    const auto target = base + "&messages=1&contact_ids=" + model::new_uuid().text() + "," + service.contact.text();
    const auto response = service.ask(target, "contacts");
    CHECK(response.status == 200);
    const chassis::Fragments parts(response.body);
    const auto part = parts.of(service.contact);
    REQUIRE(part);
    CHECK(response.body == service.contact.text() + " " + std::string(*part) + "\n");
    model::Fault fault;
    const auto conversations = model::parse(*part, fault);
    REQUIRE(conversations);
    CHECK(keys_of(conversations->at(0)) == std::vector<std::string>{"uniqueId", "contactId", "campaignId",
                                                                    "organizationId", "initiatedBy", "messages",
                                                                    "createdAt", "status"});
    CHECK(conversations->at(0).at("messages").at(0).at("uniqueId").as_string() == full.message.text());
    CHECK(service.ask(base + "&contact_ids=", "contacts").body.empty());
    CHECK(service.ask(base + "&contact_ids=x", "contacts").status == 400);
    CHECK(service.ask("/internal/conversations/of-contacts?contact_ids=", "contacts").status == 400);
    CHECK(service.ask(target, "analytics").status == 404);
    CHECK(service.get(target).status == 404);
  }

  TEST_CASE("an answer about several contacts is short: who is beyond it is asked for alone") {
    Service service;
    std::vector<Uuid> contacts;
    auto target =
        "/internal/conversations/of-contacts?organization_id=" + service.organization.text() + "&contact_ids=";
    for (int i = 0; i < 4; ++i) {  // each with 400 messages of 1,600 octets that cannot be compressed
      contacts.push_back(model::new_uuid());
      for (int c = 0; c < 20; ++c) service.database.add_conversation(service.organization, contacts.back(), "Closed");
      target += (i > 0 ? "," : "") + contacts.back().text();
    }
    service.database.execute(
        "INSERT INTO message (organization_id, id, conversation_id, contact_id, direction, status, message_type, data, "
        "created_at) SELECT organization_id, gen_random_uuid(), id, contact_id, 'InBound', 'Read', 'Text', "
        "jsonb_build_object('text', (SELECT string_agg(md5(id::text || n || i), '') FROM generate_series(1, 50) i)), "
        "now() FROM conversation, generate_series(1, 20) n");
    const auto response = service.ask(target, "contacts");
    CHECK(response.status == 200);
    CHECK(response.body.size() < 3U << 20);
    const chassis::Fragments parts(response.body);
    std::size_t told = 0;
    for (const auto& contact : contacts) {
      const auto part = parts.of(contact);
      REQUIRE(part);
      if (*part == "null") continue;
      ++told;
      const auto alone = service.ask(target.substr(0, target.rfind('=') + 1) + contact.text(), "contacts");
      CHECK(alone.body == contact.text() + " " + std::string(*part) + "\n");
    }
    CHECK(told == 2);
  }
}
