// The services' own tables of routes against the document, both ways. Every process names its routes in its metrics
// from its start.
#include <regex>
#include <set>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;

namespace {

// "GET /api/contacts", of all that a process has.
std::set<std::string> routes_of(support::Component& component) {
  Wire wire(component.admin_port());
  wire.send(support::request_text("GET", "/metrics", {{"Connection", "close"}}));
  const auto answer = wire.read();
  REQUIRE(answer);
  static const std::regex route("http_request_duration_seconds_count\\{method=\"([A-Z]+)\",route=\"([^\"]+)\"\\}");
  std::set<std::string> out;
  for (std::sregex_iterator i(answer->body.begin(), answer->body.end(), route); i != std::sregex_iterator(); ++i)
    out.insert((*i)[1].str() + " " + (*i)[2].str());
  return out;
}

// What is for other services: CONVENTIONS of the inside, which the gateway never routes.
bool is_internal(const std::string& route) { return route.find(" /internal/") != std::string::npos; }

}  // namespace

TEST_CASE("routes: each that a service has is documented, and each that is documented some one service has") {
  auto& system = world().system;
  std::map<std::string, std::string> owners;
  for (const std::string service : {"contacts", "conversations", "organizations", "analytics"})
    for (const auto& route : routes_of(system.component(service, 0))) {
      if (is_internal(route)) continue;
      INFO(route << " of " << service);
      CHECK_FALSE(owners.contains(route));
      owners[route] = service;
    }
  CHECK_GE(owners.size(), 11);
  std::set<std::string> documented;
  for (const auto& operation : contract_of(system).operations())
    documented.insert(operation.method + " " + operation.path);
  for (const auto& [route, service] : owners) {
    INFO(service << " has " << route << ", which is not documented");
    CHECK(documented.contains(route));
  }
  const auto of_gateway = routes_of(system.gateway());
  for (const auto& route : documented) {
    INFO(route);
    CHECK(of_gateway.contains(route));
    if (route.find(" /api/") != std::string::npos) CHECK(owners.contains(route));
  }
}

TEST_CASE("routes: each documented operation takes the document's example of it, and answers as documented") {
  auto& system = world().system;
  static Organization organization = fill(system, "Examples", 12);
  Requests requests(system, organization);
  for (const auto& operation : contract_of(system).operations()) {
    INFO(operation.id);
    const auto prepared = requests.make(operation);
    for (const auto& fault : contract_of(system).check_request_documented(
             operation.method, prepared.target, prepared.headers,
             prepared.headers.empty() ? "" : prepared.headers[0].second, prepared.body))
      FAIL_CHECK(fault);
    const auto answer = requests.send(prepared);
    INFO(prepared.target << " " << prepared.body.substr(0, 300) << " " << answer.status << " "
                         << answer.body.substr(0, 300));
    CHECK_GE(answer.status, 200);
    CHECK_LT(answer.status, operation.id == "followLink" ? 303 : 300);
    if (operation.method == "DELETE")  // gone; and nobody acts in an organization that is
      CHECK_EQ(requests.send(prepared).status, operation.id == "deleteOrganization" ? 403 : 404);
  }
}
