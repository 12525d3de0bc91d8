// What one permission shows or changes of what another guards, and how much an organization may have, through the whole
// system.
#include <boost/json/serialize.hpp>
#include <thread>

#include "tests/e2e/campaign_bed.hpp"

using namespace parley;
using namespace parley::e2e;
using identity::Permission;
namespace json = boost::json;

namespace {

identity::PermissionSet only(std::initializer_list<Permission> permissions) {
  identity::PermissionSet out;
  for (const auto permission : permissions) out.add(permission);
  return out;
}

Client client_with(System& system, const std::string& organization, std::initializer_list<Permission> permissions) {
  return Client(system, member_with(system, organization, only(permissions)).api_key);
}

void check_lacks(const Answer& answer, std::string_view permission) {
  CHECK_EQ(answer.status, 403);
  INFO(answer.body);
  CHECK(answer.body.find(permission) != std::string::npos);
}

constexpr auto kWords = R"({"url":"https://example.com/hook","events":["message.created"]})";

}  // namespace

TEST_CASE("rights: a webhook ends with the rights of who made it") {
  auto& [system, a, b] = world();
  check_lacks(client_with(system, a.id, {Permission::update_integration_settings}).post("/api/webhooks", kWords),
              "Get:Message");
  const auto maker = system.add_member(
      a.id, "hooks@example.com",
      only({Permission::update_integration_settings, Permission::get_conversation, Permission::get_message}).mask());
  const auto made = Client(system, maker.api_key).post("/api/webhooks", kWords);
  REQUIRE_EQ(made.status, 201);
  const auto path = "/api/webhooks/" + std::string(made.json().at("webhook").at("uniqueId").as_string());
  Client owner(system, a.owner.api_key);
  CHECK(owner.get(path).json().at("webhook").at("active").as_bool());
  REQUIRE_EQ(owner.post("/api/organization/members/" + maker.member_id, R"({"roles":[]})").status, 200);
  wait_for("it is switched off", [&] { return !owner.get(path).json().at("webhook").at("active").as_bool(); });
  CHECK_EQ(owner.get(path).json().at("webhook").at("disabledReason").as_string(), "Permission");
}

TEST_CASE("rights: what a conversation and a contact embed is shown to who may see it") {
  auto& [system, a, b] = world();
  const auto path = "/api/conversation/" + a.conversations[1];
  auto bare = client_with(system, a.id, {Permission::get_conversation});
  const auto alone = bare.get(path).json().at("conversation");
  CHECK(alone.at("messages").as_array().empty());
  CHECK(alone.at("contact").is_null());
  CHECK_EQ(alone.at("assignedTo").at("email").as_string(), "");
  CHECK_EQ(alone.at("assignedTo").at("uniqueId").as_string(), a.owner.member_id);
  check_lacks(bare.get("/api/conversations?search=a"), "Get:Contact");
  auto whole = client_with(system, a.id,
                           {Permission::get_conversation, Permission::get_message, Permission::get_contact,
                            Permission::get_organization_member});
  CHECK_EQ(whole.get(path).json().at("conversation"), conversation_by_sql(system, a, a.conversations[1]));
  CHECK_EQ(whole.get("/api/conversations?search=a").status, 200);

  const auto contact = "/api/contacts/" + a.contacts[0];
  auto without_words = client_with(system, a.id, {Permission::get_contact, Permission::get_conversation});
  const auto conversations = without_words.get(contact).json().at("contact").at("conversations").as_array();
  CHECK_EQ(conversations.size(), 2U);
  for (const auto& each : conversations) CHECK(each.at("messages").as_array().empty());
}

TEST_CASE("rights: an import changes what is there only for who may change it") {
  auto& [system, a, b] = world();
  auto importer = client_with(system, a.id, {Permission::bulk_import_contacts});
  const Headers csv{{"Content-Type", "text/csv"}};
  const auto import = [&](Client& client, const std::string& query) {
    return client.post("/api/contacts/imports" + query, "name,phone\nEvil,+4915112340001\n", csv);
  };
  CHECK_EQ(import(importer, "").status, 202);
  CHECK_EQ(import(importer, "?on_conflict=skip").status, 202);
  check_lacks(import(importer, "?on_conflict=update"), "Update:Contact");
  check_lacks(import(importer, "?list_id=" + a.lists[2]), "Update:List");
  auto changer = client_with(system, a.id,
                             {Permission::bulk_import_contacts, Permission::update_contact, Permission::update_list});
  CHECK_EQ(import(changer, "?on_conflict=update&list_id=" + a.lists[2]).status, 202);
}

TEST_CASE("rights: recipients' numbers are for who may see contacts, and a file of them is in the audit") {
  System system{{.replicas = 1, .environment = {}}};
  CampaignScene scene{system, "Recipients", "200000000000411"};
  const auto id = scene.start(scene.template_campaign({scene.import_list("all", 1, 3)}, "greeting",
                                                      {{"1", "{{name|there}}"}, {"2", "{{order|-}}"}}));
  scene.wait_for_progress(id, "recipients", 3);
  const auto& organization = scene.channel().organization();
  const auto path = "/api/campaigns/" + id + "/recipients";
  auto campaigner = client_with(system, organization, {Permission::get_campaign});
  const auto page = campaigner.get(path).json();
  for (const auto& recipient : page.at("recipients").as_array()) CHECK_EQ(recipient.at("phone").as_string(), "");
  for (const std::string format : {"csv", "csv-raw"})
    check_lacks(campaigner.get(path + "?format=" + format), "Get:Contact");
  auto reader = client_with(system, organization, {Permission::get_campaign, Permission::get_contact});
  CHECK(reader.get(path).json().at("recipients").at(0).at("phone").as_string().starts_with("+"));
  const auto file = reader.get(path + "?format=csv");
  REQUIRE_EQ(file.status, 200);
  CHECK(file.body.find(scene.number(1)) != std::string::npos);
  auto owner = scene.client();
  json::array entries;
  wait_for("the audit has it", [&] {
    entries = owner.get("/api/organization/audit?action=RecipientsExported").json().at("entries").as_array();
    return !entries.empty();
  });
  wait_for("and who started it", [&] {
    const auto started = owner.get("/api/organization/audit?action=CampaignStarted").json().at("entries").as_array();
    return started.size() == 1 && started[0].at("subjectId").as_string() == id &&
           started[0].at("after").at("to") == "Running";
  });
  CHECK_EQ(entries.size(), 1U);
  CHECK_EQ(entries[0].at("subjectId").as_string(), id);
  CHECK_EQ(entries[0].at("after").at("format").as_string(), "csv");
}

TEST_CASE("audit: who made, changed and removed campaigns and webhooks is in it, without what is secret") {
  auto& system = world().system;
  const auto owner = system.create_owner("audited@example.com", "Audited");
  Client client(system, owner.api_key);
  const auto id_of = [](const Answer& answer, const char* name) {
    return std::string(answer.json().at(name).at("uniqueId").as_string());
  };
  const auto campaign =
      "/api/campaigns/" +
      id_of(client.post("/api/campaigns", R"({"name":"Spring","message":{"type":"Text","text":"Hello"}})"), "campaign");
  CHECK_EQ(client.post(campaign, R"({"name":"Summer"})").status, 200);
  CHECK_EQ(client.post(campaign + "/duplicate", R"({"name":"Copy"})").status, 201);
  CHECK_EQ(client("DELETE", campaign).status, 204);
  CHECK_EQ(client.post(campaign, R"({"name":"Gone"})").status, 404);
  const auto made =
      client.post("/api/webhooks", R"({"url":"https://example.com/token-in-path?key=x","events":["contact.created"]})");
  const auto webhook = "/api/webhooks/" + id_of(made, "webhook");
  CHECK_EQ(client.post(webhook, R"({"active":false})").status, 200);
  const auto rotated = client.post(webhook + "/rotate-secret", "");
  CHECK_EQ(rotated.status, 200);
  CHECK_EQ(client("DELETE", webhook).status, 204);

  const std::vector<std::string> wanted{"CampaignCreated Spring", "CampaignUpdated Summer", "CampaignCreated Copy",
                                        "CampaignDeleted Summer"};
  std::vector<std::string> told;
  std::string all;
  wait_for("the audit has them", [&] {
    const auto page = client.get("/api/organization/audit?order=asc&per_page=100");
    const auto json = page.json();
    told.clear();
    for (const auto& entry : json.at("entries").as_array()) {
      const std::string action = entry.at("action").as_string().c_str();
      if (!action.starts_with("Campaign") && !action.starts_with("Webhook")) continue;
      CHECK_EQ(entry.at("memberId").as_string(), owner.member_id);
      told.push_back(action + " " + entry.at("subject").as_string().c_str());
    }
    all = page.body;
    return told.size() == 8;
  });
  CHECK_EQ(std::vector(told.begin(), told.begin() + 4), wanted);
  const std::vector<std::string> of_webhooks{"WebhookCreated https://example.com", "WebhookUpdated https://example.com",
                                             "WebhookSecretRotated https://example.com",
                                             "WebhookDeleted https://example.com"};
  CHECK_EQ(std::vector(told.begin() + 4, told.end()), of_webhooks);
  for (const auto& secret : {std::string("token-in-path"), std::string(made.json().at("secret").as_string()),
                             std::string(rotated.json().at("secret").as_string())})
    CHECK(all.find(secret) == std::string::npos);
}

TEST_CASE("quotas: each is told, and of the last places none is taken twice") {
  auto& system = world().system;
  const auto one = fill(system, "Quotas", 3);
  Client owner(system, one.owner.api_key);
  const auto uses = [&](const std::string& path) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> out;
    const auto answer = owner.get(path).json();
    for (const auto& each : answer.at("quotas").as_array())
      out[each.at("name").as_string().c_str()] = {each.at("limit").to_number<std::int64_t>(),
                                                  each.at("used").to_number<std::int64_t>()};
    return out;
  };
  CHECK_EQ(uses("/api/organization/quotas")["organizations"].second, 1);
  CHECK_EQ(uses("/api/organization/quotas")["members"].second, 1);
  auto of_contacts = uses("/api/contacts/quotas");
  CHECK_EQ(of_contacts["contacts"].second, 3);
  CHECK_EQ(of_contacts["lists"].second, 3);

  // Two more of each. Who asks at once are several connections.
  const auto set = [&](const std::string& program, const std::string& name, std::int64_t most) {
    system.run(program, {"set-quota", "--organization", one.id, "--name", name, "--limit", std::to_string(most)},
               system.component(program, 0).environment);
  };
  struct Made {
    std::string program, name, path, before, after;
    std::int64_t used;
  };
  auto of_conversations = uses("/api/conversations/quotas");
  const std::vector<Made> all{
      {"contacts", "lists", "/api/lists", R"({"name":"L)", "\"}", of_contacts["lists"].second},
      {"contacts", "tags", "/api/tags", R"({"label":"T)", "\"}", of_contacts["tags"].second},
      {"contacts", "segments", "/api/segments", R"({"filter":{"type":"present","attribute":"a"},"name":"S)", "\"}", 0},
      {"contacts", "contacts", "/api/contacts", R"({"name":"C","phone":"+49151987650)", "\"}", 3},
      {"conversations", "webhooks", "/api/webhooks", R"({"events":["contact.created"],"url":"https://example.com/)",
       "\"}", of_conversations["webhooks"].second},
      {"conversations", "campaigns", "/api/campaigns", R"({"message":{"type":"Text","text":"Hello"},"name":"C)", "\"}",
       of_conversations["campaigns"].second},
      {"conversations", "quick-replies", "/api/quick-replies", R"({"text":"Hello","shortcut":"q)", "\"}",
       of_conversations["quick-replies"].second}};
  for (const auto& made : all) {
    INFO(made.name);
    set(made.program, made.name, made.used + 2);
    std::vector<unsigned> statuses(8);
    std::vector<std::string> bodies(8);
    {
      std::vector<std::jthread> crowd;
      for (std::size_t i = 0; i < statuses.size(); ++i)
        crowd.emplace_back([&, i] {
          Wire wire(system.gateway().port());
          wire.send(support::request_text(
              "POST", made.path,
              {{"Authorization", "Bearer " + one.owner.api_key}, {"Content-Type", "application/json"}},
              made.before + std::to_string(10 + i) + made.after));
          if (const auto answer = wire.read()) {
            statuses[i] = answer->status;
            bodies[i] = answer->body;
          }
        });
    }
    INFO(bodies[0]);
    CHECK_EQ(std::ranges::count(statuses, 201U), 2);
    CHECK_EQ(std::ranges::count(statuses, 403U), 6);
    for (std::size_t i = 0; i < statuses.size(); ++i)
      if (statuses[i] == 403)
        CHECK(bodies[i].find("beyond the quota " + made.name + ", whose limit is " + std::to_string(made.used + 2)) !=
              std::string::npos);
  }

  const auto usage = owner.get("/api/organization/usage");
  CHECK_FALSE(usage.has("Parley-Degraded"));
  CHECK_EQ(usage.json().at("missing"), json::array());
  std::map<std::string, json::value> used;
  const auto uses_of_all = usage.json();
  for (const auto& each : uses_of_all.at("usage").as_array()) used[each.at("name").as_string().c_str()] = each;
  CHECK_EQ(used["members"].at("used"), 1);
  CHECK_EQ(used["contacts"].at("limit"), 5);
  CHECK_EQ(used["contacts"].at("used"), 5);
  for (const auto* name : {"api-keys", "webhooks", "campaigns"}) CHECK_GT(used[name].at("used").as_int64(), 0);
  CHECK(used["messages-a-day"].at("limit").is_null());
  CHECK_FALSE(used.contains("organizations"));  // of the person

  // An import takes what there is room for, and says why it took no more.
  const auto rest = "name,phone\nA,+4915198770001\nB,+4915198770002\n";
  const auto import = owner.post("/api/contacts/imports", rest, {{"Content-Type", "text/csv"}});
  REQUIRE_EQ(import.status, 202);
  const auto path = "/api/contacts/imports/" + std::string(import.json().at("import").at("uniqueId").as_string());
  wait_for("it has ended", [&] { return owner.get(path).json().at("import").at("status") == "Failed"; });
  CHECK(owner.get(path).json().at("import").at("failure").as_string().find("quota contacts") != json::string::npos);
  CHECK_EQ(uses("/api/contacts/quotas")["contacts"], std::pair<std::int64_t, std::int64_t>(5, 5));
  system.run("contacts", {"set-quota", "--organization", one.id, "--name", "contacts", "--usual"},
             system.contacts().environment);
  CHECK_EQ(owner.post("/api/contacts/imports", rest, {{"Content-Type", "text/csv"}}).status, 202);
  wait_for("they are there", [&] { return uses("/api/contacts/quotas")["contacts"].second == 7; });
}
