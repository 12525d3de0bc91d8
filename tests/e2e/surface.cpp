// The contract both ways: what is documented is there, and nothing that is not documented answers.
#include <boost/json/serialize.hpp>
#include <set>

#include "tests/e2e/operations.hpp"
#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

std::string with_id(std::string path, const std::string& id) {
  for (auto at = path.find('{'); at != path.npos; at = path.find('{')) path.replace(at, path.find('}') - at + 1, id);
  return path;
}

std::string text(const boost::json::value& value) { return value.as_string().c_str(); }

bool has_parameter(System& system, const support::Operation& operation, std::string_view name) {
  return std::ranges::any_of(parameters_of(system, operation),
                             [&](const auto* parameter) { return parameter->at("name").as_string() == name; });
}

// Four of what is made by its name alone.
void fill_lists(Client& client) {
  for (const std::string& name : {"one", "two", "three", "four"}) {
    const auto make = [&](const std::string& path, const boost::json::object& body) {
      const auto made = client.post(path, boost::json::serialize(body));
      REQUIRE_MESSAGE(made.status == 201, path << " " << made.body);
    };
    make("/api/lists", {{"name", name}});
    make("/api/tags", {{"label", name}});
    make("/api/rbac/roles", {{"name", name}, {"permissions", boost::json::array{"Get:Contact"}}});
    make("/api/auth/api-keys", {{"name", name}});
    make("/api/organization/invites", {{"email", name + "@example.com"}});
    make("/api/quick-replies", {{"shortcut", name}, {"text", name}});
    make("/api/segments", {{"name", name}, {"filter", {{"type", "number"}, {"attribute", "n"}, {"lessThan", 1}}}});
  }
}

std::vector<std::string> ids_of(const Answer& page) {
  std::vector<std::string> out;
  const auto document = page.json();  // the records are its first member
  for (const auto& record : document.as_object().begin()->value().as_array()) {
    const auto& fields = record.as_object();
    out.push_back(text(fields.contains("uniqueId") ? fields.at("uniqueId") : fields.begin()->value()));
  }
  return out;
}

}  // namespace

TEST_CASE("surface: each documented operation is there, and each of its paths knows no other method") {
  auto& [system, a, b] = world();
  const auto& contract = contract_of(system);
  Client client(system, a.owner.api_key);
  std::set<std::string> paths;
  for (const auto& operation : contract.operations()) {
    if (!operation.path.starts_with("/api/")) continue;
    paths.insert(operation.path);
    if (operation.id == "regenerateApiKey" || operation.id == "logout") continue;  // they would end this key
    // No resource has this id, no body is sent: refused, but by the operation.
    const std::string query = operation.id == "streamEvents" ? "?wait=0" : "";
    const auto answer = client(operation.method, with_id(operation.path, model::new_uuid().text()) + query);
    INFO(operation.id << " answers " << answer.status << " " << answer.body);
    CHECK_NE(answer.status, 405);
    if (operation.path.find('{') == std::string::npos) CHECK_NE(answer.status, 404);
  }
  CHECK_GE(paths.size(), 9);
  for (const auto& path : paths) {
    std::set<std::string> known;
    for (const auto& operation : contract.operations())
      if (operation.path == path) known.insert(operation.method);
    if (known.contains("GET") && path != "/api/auth/api-keys/regenerate") known.insert("HEAD");
    for (const std::string method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
      if (known.contains(method)) continue;
      const auto answer = client(method, with_id(path, a.contacts[0]));
      INFO(method << " " << path << " " << answer.status);
      CHECK_EQ(answer.status, 405);
      CHECK_NE(answer.header("Allow"), "");
      CHECK(answer.header("Allow").find(method) == std::string::npos);
    }
    for (const std::string method : {"TRACE", "CONNECT", "FOO", "get", "PROPFIND"}) {
      const auto answer = client(method, with_id(path, a.contacts[0]));
      INFO(method << " " << path << " " << answer.status);
      CHECK_EQ(answer.status, 405);
      CHECK_NE(answer.header("Allow"), "");
    }
  }
  CHECK_EQ(client("FOO", "/api/nothing").status, 404);
  std::vector<std::string> documents{"/openapi.json", "/docs", "/docs/start", "/"};
  if (client.post("/console/", "").status == 405)  // else it was built without
    for (const auto* path : {"/console", "/console/", "/console/o", "/console/licences.txt"})
      documents.emplace_back(path);
  for (const auto& document : documents)
    for (const auto* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"}) {
      const auto answer = client(method, document);
      INFO(method << " " << document << " " << answer.status);
      CHECK_EQ(answer.status, 405);
      CHECK_EQ(answer.header("Allow"), "GET, HEAD");
    }
}

TEST_CASE("surface: HEAD answers as GET without the body") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  for (const auto& target :
       {"/api/contacts?per_page=3", "/api/organization", "/api/analytics/campaigns?from=2026-01-01&to=2026-01-02"}) {
    const auto got = client.get(target), head = client("HEAD", target);
    CHECK_EQ(head.status, 200);
    CHECK_EQ(head.header("Content-Length"), std::to_string(got.body.size()));
    CHECK_EQ(head.header("Content-Type"), got.header("Content-Type"));
  }
}

TEST_CASE("surface: HEAD of the key's regeneration is refused and the key goes on working") {
  auto& [system, a, b] = world();
  const auto member = system.add_member(a.id, "head@example.com", identity::PermissionSet::all().mask());
  Client client(system, member.api_key);
  const auto head = client("HEAD", "/api/auth/api-keys/regenerate");
  CHECK_EQ(head.status, 405);
  CHECK_EQ(head.header("Allow"), "GET");
  CHECK_EQ(client.get("/api/organization").status, 200);
}

TEST_CASE("surface: internal routes, other prefixes, and paths that only look alike lead nowhere") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto& contact = a.contacts[0];
  const std::vector<std::string> targets{
      "/api",
      "/api/",
      "/livez",
      "/readyz",
      "/metrics",
      "/healthz",
      "/simulator/journal",
      "/internal/contacts/parts?organization_id=" + a.id + "&contact_ids=" + contact,
      "/internal/conversations/of-contacts?organization_id=" + a.id + "&contact_ids=" + contact,
      "/internal/members/summaries?organization_id=" + a.id,
      "/internal/credentials/verify",
      "/internal/events?consumer=analytics&after=0",
      "/internal/events?consumer=x&after=0&wait=0",
      "/internal/snapshot",
      "/api/internal/credentials/verify",
      "/api/../internal/credentials/verify",
      "/api/contacts/../../internal/events",
      "/api/contacts/%2e%2e/%2e%2e/internal/events",
      "/api/contacts/..%2f..%2finternal%2fevents",
      "//internal/events",
      "/%69nternal/events",
      "/INTERNAL/events",
      "/api//contacts",
      "/api/./contacts",
      "/api/contacts/",
      "/api/contacts//",
      "/API/contacts",
      "/api/Contacts",
      "/api/%63ontacts",
      "/api/contacts%00",
      "/api/contacts%2f" + contact,
      "/api/contacts;x=1",
      "/api/contacts/" + contact + "/",
      "/api/contacts/" + contact + "/x",
      "/api/contacts/" + contact + ";v=1",
      "/api/lists",
      "/api/lists/" + a.lists[0],
      "/api/segments",
      "/api/segments/count",
      "/api/tags",
      "/api/rbac/roles",
      "/api/rbac",
      "/api/auth/api-keys",
      "/api/auth/api-keys/regenerate/",
      "/api/conversation",
      "/api/conversations",
      "/api/messages",
      "/api/campaigns",
      "/api/events",
      "/api/user",
      "/api/analytics",
      "/api/analytics/campaigns/x",
      "/webhooks/messaging",
      "/l/abc",
      "/.env",
      "/favicon.ico",
      "/docs/start/",
      "/consolex",
      "/CONSOLE/",
      "/%63onsole/",
      "//console/",
      "/console/assets/",
      "/console/assets/main-00000000.js",
      "/api/contactsx",
      "/api/organizationx"};
  const auto before = system.row_counts();
  for (const auto& target : targets) {
    for (const std::string method : {"GET", "POST", "DELETE"}) {
      if (contract_of(system).find(method, target.substr(0, target.find('?')))) continue;
      const auto answer = client(method, target, method == "POST" ? "{}" : "");
      INFO(method << " " << target << " " << answer.status << " " << answer.body);
      CHECK((answer.status == 400 || answer.status == 404 || answer.status == 405));
    }
  }
  CHECK_EQ(system.row_counts(), before);
}

TEST_CASE("surface: the services' own ports answer nobody without an identity that the gateway signed") {
  auto& [system, a, b] = world();
  const std::vector<std::pair<support::Component*, std::string>> targets{
      {&system.contacts(), "/api/contacts"},
      {&system.contacts(), "/internal/contacts/parts?organization_id=" + a.id + "&contact_ids=" + a.contacts[0]},
      {&system.conversations(), "/api/conversation/" + a.conversations[0]},
      {&system.conversations(),
       "/internal/conversations/of-contacts?organization_id=" + a.id + "&contact_ids=" + a.contacts[0]},
      {&system.conversations(), "/internal/events?consumer=analytics&after=0&wait=0"},
      {&system.organizations(), "/api/organization"},
      {&system.organizations(), "/internal/members/summaries?organization_id=" + a.id},
      {&system.analytics(), "/api/analytics/campaigns"}};
  for (const auto& [component, target] : targets)
    for (const Headers& headers : {Headers{}, Headers{{"Authorization", "Bearer " + a.owner.api_key}},
                                   Headers{{"Parley-Identity", "e30.AAAA"}}, Headers{{"X-Organization-Id", a.id}}}) {
      Wire wire(component->port());
      wire.send(support::request_text("GET", target, headers));
      const auto answer = wire.read();
      REQUIRE(answer);
      INFO(component->name() << " " << target << " " << answer->body);
      CHECK_EQ(answer->status, 401);
      CHECK(answer->body.find("Ada") == std::string::npos);
    }
}

TEST_CASE("surface: each list skips records from its beginning and from a cursor alike") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  fill_lists(client);
  std::set<std::string> tried;
  for (const auto& operation : contract_of(system).operations()) {
    if (operation.method != "GET" || !has_parameter(system, operation, "skip")) continue;
    if (!has_parameter(system, operation, "cursor")) continue;
    const auto path = with_id(operation.path, a.conversations[0]);
    const auto whole = client.get(path + "?per_page=100");
    if (whole.status != 200) continue;  // of a resource that is not there, or not for a key
    const auto all = ids_of(whole);
    if (all.size() < 4) continue;
    INFO(operation.id);
    tried.insert(operation.id);
    const auto first = client.get(path + "?per_page=1").json();
    const auto next = path + "?per_page=1&cursor=" + text(first.at("paginationMeta").at("nextCursor"));
    CHECK_EQ(ids_of(client.get(path + "?per_page=1&skip=3")).at(0), all[3]);
    CHECK_EQ(ids_of(client.get(next + "&skip=0")).at(0), all[1]);
    CHECK_EQ(ids_of(client.get(next + "&skip=2")).at(0), all[3]);
    CHECK(ids_of(client.get(next + "&skip=" + std::to_string(all.size() - 1))).empty() == (all.size() < 100));
    CHECK_EQ(client.get(next + "&page=2").status, 400);
  }
  std::string names;
  for (const auto& id : tried) names += id + " ";
  INFO(names);
  CHECK_GE(tried.size(), 11);
}
