// What happens, as clients hear it through the gateway: at once, without gaps, and no longer than they may. And as it
// is posted to webhooks.
#include <array>
#include <chrono>

#include "conversations/events/public_events/notices.hpp"
#include "conversations/events/subscriptions/signature.hpp"
#include "tests/e2e/stream_bed.hpp"

using namespace parley;
using namespace parley::e2e;
using namespace std::chrono_literals;

namespace {

struct Bed {
  System system{{.replicas = 1, .environment = {}}};
  Organization organization = fill(system, "Streams", 8);
  Client owner{system, organization.owner.api_key};

  // Each is Active at first; the event that tells it.
  std::string close(std::size_t number) {
    const auto& id = organization.conversations.at(number);
    CHECK_EQ(owner.post("/api/conversation/" + id, R"({"status":"Closed"})").status, 200);
    CHECK_EQ(owner.post("/api/conversation/" + id, R"({"status":"Active"})").status, 200);
    return id;
  }
  // As if a link of a campaign had been followed.
  void click() {
    const std::string click =
        R"([{"type":"campaign.click","campaignId":")" + organization.id + R"(","organizationId":")" + organization.id +
        R"(","sentAt":"2026-01-31T12:00:00.000Z","at":"2026-01-31T12:00:00.000Z","engaged":true}])";
    system.sql("conversations").rows("INSERT INTO outbox (changes) VALUES ($1)", {click});
  }
  Stream stream(const std::string& query = "?wait=120", Headers headers = {}) {
    return Stream(system, organization.owner.api_key, query, std::move(headers));
  }
};
Bed& bed() {
  static Bed the_bed;
  return the_bed;
}

// Whatever was heard is as documented.
void check_events(const Stream& stream) {
  const std::string& text = stream.heard();
  for (std::size_t at = 0; (at = text.find("\ndata: ", at)) != text.npos;) {
    at += 7;
    CHECK_EQ(contract_of(bed().system).check_event(text.substr(at, text.find('\n', at) - at)), support::Faults{});
  }
}

void wait_until(const std::function<bool()>& condition) {
  const auto limit = std::chrono::steady_clock::now() + 60s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) FAIL("waited a minute in vain");
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace

TEST_CASE("stream: what happens is heard at once, and a client that comes back hears what it missed, once") {
  auto stream = bed().stream();
  CHECK_EQ(stream.status(), 200);
  for (const std::string field :
       {"Content-Type: text/event-stream\r\n", "Cache-Control: no-store\r\n", "X-Accel-Buffering: no\r\n"})
    CHECK(stream.head().find(field) != std::string::npos);
  REQUIRE(stream.hears("retry: "));
  const auto begin = stream.last_id();
  const auto first = bed().close(1);
  CHECK(stream.hears("event: conversation.status\ndata: "));
  CHECK(stream.hears("\"to\":\"Active\""));
  CHECK(stream.hears(first));
  check_events(stream);
  const auto place = stream.last_id();

  const auto second = bed().close(2);
  CHECK(stream.hears(second));
  const std::string parameter = "?wait=120&last_event_id=";
  const std::vector<std::pair<std::string, Headers>> ways{{"?wait=120", {{"Last-Event-ID", place}}},
                                                          {parameter + place, {}},
                                                          {parameter + begin, {{"Last-Event-ID", place}}}};
  for (const auto& [query, headers] : ways) {
    auto resumed = bed().stream(query, headers);
    CHECK(resumed.hears(second));
    CHECK(resumed.heard().find(first) == std::string::npos);
  }
  auto missed = bed().stream("?wait=0&last_event_id=" + begin);
  CHECK(missed.ends_well());
  CHECK(missed.heard().find(first) < missed.heard().find(second));
  auto nonsense = bed().stream("?wait=0", {{"Last-Event-ID", "nonsense"}});
  CHECK(nonsense.hears("event: reset\n"));
  CHECK_EQ(bed().stream("?last_event_id=nonsense").status(), 400);
  CHECK_EQ(bed().stream("?wait=901").status(), 400);
  CHECK_EQ(bed().owner.get("/api/events?wait=0").status, 200);
}

TEST_CASE("stream: a client hears the types and the conversation that it asks for") {
  const auto& mine = bed().organization.conversations.at(1);
  auto of_type = bed().stream("?wait=120&types=conversation.status,contact.opted_out");
  auto of_other_type = bed().stream("?wait=120&types=campaign.click");
  auto of_one = bed().stream("?wait=120&conversation_id=" + mine);
  for (auto* stream : {&of_type, &of_other_type, &of_one}) REQUIRE(stream->hears("retry: "));
  const auto other = bed().close(2);
  bed().close(1);
  CHECK(of_one.hears("\"to\":\"Active\""));
  CHECK(of_one.heard().find(other) == std::string::npos);
  CHECK(of_type.hears(mine));
  CHECK(of_type.heard().find(other) != std::string::npos);
  CHECK(of_type.heard().find("event: conversation.changed") == std::string::npos);
  bed().click();
  CHECK(of_other_type.hears("event: campaign.click"));
  CHECK(of_other_type.heard().find("conversation.status") == std::string::npos);
  for (const std::string bad : {"types=message.opened", "types=", "types=message.created,", "conversation_id=1",
                                "campaign_id=x", "campaign_messages=maybe", "imported_contacts=maybe"})
    CHECK_EQ(bed().stream("?wait=0&" + bad).status(), 400);
}

TEST_CASE("stream: contacts and imports are heard, and a client that comes back hears what it missed of them") {
  auto& owner = bed().owner;
  auto stream = bed().stream();
  REQUIRE(stream.hears("retry: "));
  const auto made = owner.post("/api/contacts", R"({"name":"Heard","phone":"+4915112345699"})");
  REQUIRE_EQ(made.status, 201);
  const std::string id(made.json().at("contact").at("uniqueId").as_string());
  CHECK(stream.hears("event: contact.created\ndata: "));
  CHECK(stream.hears(id));
  const auto place = stream.last_id();
  const auto import = owner.post("/api/contacts/imports?country=DE", "name,phone\nOne,0170 5550001\nTwo,0170 5550002\n",
                                 {{"Content-Type", "text/csv"}});
  REQUIRE_EQ(import.status, 202);
  CHECK(stream.hears("\"status\":\"Queued\""));
  CHECK(stream.hears("\"status\":\"Finished\""));
  CHECK(stream.hears("\"imported\":2"));
  check_events(stream);
  auto again =
      bed().stream("?wait=120&imported_contacts=true&types=contact.created,import.status", {{"Last-Event-ID", place}});
  CHECK(again.hears("\"status\":\"Finished\""));
  CHECK(again.heard().find(id) == std::string::npos);
  CHECK(again.heard().find("\"importId\":\"" + std::string(import.json().at("import").at("uniqueId").as_string())) !=
        std::string::npos);
  CHECK(again.heard().find("event: contact.created") != std::string::npos);
  CHECK(stream.heard().find("\"importId\":\"", stream.heard().find("event: contact.created")) >
        stream.heard().find("event: import.status"));
  check_events(again);
}

TEST_CASE("stream: a quiet one is not cut off") {
  auto stream = bed().stream();
  CHECK(stream.hears("\n:\nid: "));  // 15 s later
  const auto id = bed().close(1);
  CHECK(stream.hears(id));
}

// An organization has 100 places.
TEST_CASE("stream: whose client has gone has no place any more") {
  for (int i = 0; i < 250; ++i) {
    auto stream = bed().stream();
    REQUIRE_EQ(stream.status(), 200);
    REQUIRE(stream.hears("retry: "));
  }
}

TEST_CASE("stream: nobody hears what they may not, and nobody of another organization") {
  auto& [system, organization, owner] = bed();
  const auto without = member_with(system, organization.id, all_but(identity::Permission::get_conversation));
  auto none = identity::PermissionSet::all();
  for (const auto permission : conversations::public_events::kPermissions) none.remove(permission);
  CHECK_EQ(Stream(system, member_with(system, organization.id, none).api_key, "?wait=0").status(), 403);
  Stream of_others(system, without.api_key, "?wait=120");
  REQUIRE(of_others.hears("retry: "));
  static const auto other = fill(system, "Other streams", 3);
  Stream others(system, other.owner.api_key, "?wait=120");
  REQUIRE(others.hears("retry: "));

  const auto member = system.add_member(organization.id, "listens@example.com", identity::PermissionSet::all().mask());
  Stream stream(system, member.api_key, "?wait=120");
  CHECK(stream.hears(bed().close(1)));
  bed().click();
  CHECK(of_others.hears("event: campaign.click"));
  CHECK(of_others.heard().find("event: conversation.") == std::string::npos);
  check_events(of_others);
  CHECK_EQ(owner("DELETE", "/api/organization/members/" + member.member_id).status, 204);
  wait_until([&] { return Client(system, member.api_key).get("/api/user").status == 401; });
  const auto later = bed().close(2);
  CHECK(stream.ends_well());
  CHECK(stream.heard().find(later) == std::string::npos);

  CHECK_EQ(Client(system, other.owner.api_key)
               .post("/api/conversation/" + other.conversations.at(1), R"({"status":"Closed"})")
               .status,
           200);
  CHECK(others.hears(other.conversations.at(1)));
  CHECK(others.heard().find(organization.conversations.at(1)) == std::string::npos);
  CHECK(others.heard().find(organization.conversations.at(2)) == std::string::npos);
}

TEST_CASE("stream: a gateway and a service that leave end it in order, and the client goes on where it was") {
  auto& system = bed().system;
  for (auto* leaving : {&system.gateway(), &system.conversations()}) {
    INFO(leaving->name());
    auto stream = bed().stream();
    CHECK(stream.hears(bed().close(1)));
    const auto place = stream.last_id();
    leaving->ask_to_end();
    CHECK(stream.ends_well());
    CHECK_EQ(leaving->wait_for_end(), 0);
    leaving->start();
    const auto id = bed().close(2);
    auto again = bed().stream("?wait=120", {{"Last-Event-ID", place}});
    CHECK(again.hears(id));
    CHECK(again.heard().find("event: reset") == std::string::npos);
  }
}

TEST_CASE("stream: webhooks are posted to, of conversations and of contacts") {
  auto& [system, organization, owner] = bed();
  Receiver receiver;
  wait_until([&] {  // what happened before is nothing to it
    return system.sql("conversations")
               .value(
                   "SELECT position = head AND NOT EXISTS (SELECT FROM outbox WHERE position IS NULL) FROM feed JOIN "
                   "feed_cursor ON producer = 'conversations'") == "t";
  });
  const auto made = owner.post(
      "/api/webhooks", R"({"url":")" + receiver.url() + R"(","events":["conversation.status","contact.created"]})");
  REQUIRE_EQ(made.status, 201);
  const std::string secret(made.json().at("secret").as_string());
  const std::string path = made.header("Location");
  const auto conversation = bed().close(1);
  const auto contact = owner.post("/api/contacts", R"({"name":"Hooked","phone":"+4915112345678"})");
  REQUIRE_EQ(contact.status, 201);
  CHECK_EQ(owner("POST", path + "/test").status, 202);
  wait_until([&] { return receiver.calls().size() >= 4; });
  std::map<std::string, int> types;
  for (const auto& call : receiver.calls()) {
    const auto& fields = call.fields;
    CHECK_EQ(fields.at("webhook-signature"),
             conversations::subscriptions::signature(secret, fields.at("webhook-id"),
                                                     std::stoll(fields.at("webhook-timestamp")), call.body));
    const auto body = boost::json::parse(call.body);
    ++types[body.at("type").as_string().c_str()];
    CHECK_EQ(contract_of(system).check_event(call.body), support::Faults{});
    if (body.at("type").as_string() == "conversation.status")
      CHECK(body.at("data").at("conversationId").as_string() == conversation);
  }
  CHECK_EQ(types, std::map<std::string, int>{{"contact.created", 1}, {"conversation.status", 2}, {"webhook.test", 1}});
  wait_until(
      [&] { return owner.get(path + "/deliveries?state=Delivered").json().at("deliveries").as_array().size() == 4; });

  // Once the dispatcher is killed, nothing is lost: another goes on.
  system.dispatcher().kill();
  bed().close(2);
  system.dispatcher().start();
  wait_until([&] { return receiver.calls().size() >= 6; });
  CHECK_EQ(owner("DELETE", path).status, 204);
  wait_until([&] { return system.sql("conversations").value("SELECT count(*) FROM webhook_delivery") == "0"; });
}

TEST_CASE("stream: what is used of the quotas of each service is heard, and posted to webhooks, once") {
  auto& [system, organization, owner] = bed();
  Receiver receiver;
  const auto made = owner.post("/api/webhooks", R"({"url":")" + receiver.url() + R"(","events":["quota.reached"]})");
  REQUIRE_EQ(made.status, 201);
  auto stream = bed().stream("?wait=120&types=quota.reached");
  REQUIRE(stream.hears("retry: "));
  const std::vector<std::array<std::string, 5>> all{
      {"contacts", "segments", "/api/segments", R"({"filter":{"type":"present","attribute":"a"},"name":"S)", R"("})"},
      {"conversations", "quick-replies", "/api/quick-replies", R"({"text":"Hello","shortcut":"q)", R"("})"},
      {"organizations", "invitations", "/api/organization/invites", R"({"email":"i)", R"(@reached.example"})"}};
  for (const auto& [program, quota, path, before, after] : all) {
    system.run(program, {"set-quota", "--organization", organization.id, "--name", quota, "--limit", "5"},
               system.component(program, 0).environment);
    for (int i = 0; i < 5; ++i) REQUIRE_EQ(owner.post(path, before + std::to_string(i) + after).status, 201);
    CHECK_EQ(owner.post(path, before + "5" + after).status, 403);
    const auto said = [&](const std::string& percent, const std::string& used) {
      return "\"quota\":\"" + quota + "\",\"percent\":" + percent + ",\"limit\":5,\"used\":" + used;
    };
    CHECK(stream.hears(said("80", "4")));
    CHECK(stream.hears(said("100", "5")));
  }
  check_events(stream);
  int told = 0;
  for (auto at = stream.heard().find("event: quota."); at != std::string::npos; ++told)
    at = stream.heard().find("event: quota.", at + 1);
  CHECK_EQ(told, 6);
  wait_until([&] { return receiver.calls().size() >= 6; });
  for (const auto& call : receiver.calls()) CHECK_EQ(contract_of(system).check_event(call.body), support::Faults{});
  CHECK_EQ(system.sql("conversations").value("SELECT count(*) FROM webhook_notice WHERE type = 'quota.reached'"), "6");
}

TEST_CASE(
    "stream: that a webhook fails, is switched off and works again is heard by who may see it, and by no webhook") {
  auto& [system, organization, owner] = bed();
  const auto body = [](const std::string& event) {
    return R"({"url":"http://)" + System::local_address() + R"(:1/","events":[")" + event + "\"]}";
  };
  CHECK_EQ(owner.post("/api/webhooks", body("webhook.health")).status, 400);
  const auto made = owner.post("/api/webhooks", body("conversation.status"));
  REQUIRE_EQ(made.status, 201);
  const std::string path = made.header("Location");
  auto stream = bed().stream("?wait=120&types=webhook.health");
  REQUIRE(stream.hears("retry: "));
  const auto without = member_with(system, organization.id, all_but(identity::Permission::update_integration_settings));
  Stream blind(system, without.api_key, "?wait=120");
  REQUIRE(blind.hears("retry: "));
  const std::vector<std::array<std::string, 2>> all{{"2 minutes", R"("state":"Failing")"},
                                                    {"6 days", R"("state":"Disabled")"}};
  for (const auto& [since, said] : all) {
    system.sql("conversations")
        .rows("UPDATE webhook SET failing_since = now() - $2::interval WHERE id = $1",
              {path.substr(path.rfind('/') + 1), since});
    CHECK_EQ(owner("POST", path + "/test").status, 202);
    CHECK(stream.hears(said));
  }
  CHECK_EQ(owner.post(path, R"({"active":true})").status, 200);
  CHECK(stream.hears(R"("state":"Healthy","failingSince":null)"));
  check_events(stream);
  CHECK(blind.hears(bed().close(3)));
  CHECK(blind.heard().find("webhook.health") == std::string::npos);
  CHECK_EQ(owner("DELETE", path).status, 204);
}
