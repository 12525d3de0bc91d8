// Reports through the real gateway: filters, forms, and figures that come by events from what other services do.
#include <boost/json/serialize.hpp>
#include <sstream>

#include "tests/e2e/channel_bed.hpp"
#include "tests/e2e/world.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

std::string fresh() { return model::new_uuid().text(); }

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> out;
  std::istringstream text(file);
  for (std::string line; std::getline(text, line);) {
    REQUIRE(line.ends_with('\r'));
    out.push_back(line.substr(0, line.size() - 1));
  }
  return out;
}

// Figures of a campaign in the quarter at 2026-01-10T12:00Z: `recipients` of them, all read.
void add_campaign(const Organization& o, const std::string& id, int recipients, const std::string& list,
                  const std::string& tag) {
  auto& sql = world().system.sql("analytics");
  const auto n = std::to_string(recipients);
  sql.rows("INSERT INTO campaign VALUES ($1, $2, 'Spring', ARRAY[$3::uuid], ARRAY[$4], 1)", {o.id, id, list, tag});
  sql.rows("INSERT INTO campaign_rollup VALUES ($1, $2, '2026-01-10T12:00Z', " + n + ", " + n + ", " + n + ", " + n +
               ", 0, 0, 0, 0, 0, 0, 0, 0)",
           {o.id, id});
}

}  // namespace

TEST_CASE("analytics: campaigns by id, list and tag, and one by itself") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto first = fresh(), second = fresh(), foreign = fresh(), list = fresh();
  add_campaign(a, first, 3, list, "e2e spring");
  add_campaign(a, second, 4, fresh(), "e2e spring");
  add_campaign(b, foreign, 5, list, "e2e spring");
  const std::string span = "from=2026-01-10&to=2026-01-10";
  const auto recipients = [&](const std::string& target) {
    const auto answer = client.get(target + span);
    REQUIRE_EQ(answer.status, 200);
    const auto figures = answer.json().at("analytics");
    CHECK_EQ(figures.at("messageAnalytics").as_array().size(), 24);
    CHECK_EQ(figures.at("openRate").to_number<double>(), figures.at("messagesRead").to_number<double>() > 0 ? 100 : 0);
    return figures.at("totalRecipients").to_number<int>();
  };
  const std::string all = "/api/analytics/campaigns?", one = "/api/analytics/campaign/";
  CHECK_EQ(recipients(all + "campaign_id=" + first + "&"), 3);
  CHECK_EQ(recipients(all + "campaign_id=" + foreign + "&"), 0);
  CHECK_EQ(recipients(all + "list_id=" + list + "&"), 3);
  CHECK_EQ(recipients(all + "tag=E2E%20Spring&"), 7);
  CHECK_EQ(recipients(all + "tag=e2e%20spring&campaign_id=" + second + "&"), 4);
  CHECK_EQ(recipients(all + "tag=e2e%20autumn&"), 0);
  CHECK_EQ(recipients(one + first + "?"), 3);
  CHECK_EQ(client.get(one + foreign + "?" + span).status, 404);
  CHECK_EQ(client.get(one + fresh()).status, 404);
  for (const auto* bad : {"campaign_id=1", "list_id=", "tag=", "format=xml"}) {
    CAPTURE(bad);
    CHECK_EQ(client.get(all + bad).status, 400);
  }
}

TEST_CASE("analytics: each report is CSV for who asks for it, with the figures of the JSON") {
  auto& [system, a, b] = world();
  Client client(system, a.owner.api_key);
  const auto id = fresh();
  add_campaign(a, id, 2, fresh(), "csv");
  for (const auto& path : {std::string("/api/analytics/campaigns"), "/api/analytics/campaign/" + id,
                           std::string("/api/analytics/primary")}) {
    CAPTURE(path);
    const auto target = path + "?from=2026-01-08&to=2026-01-11";
    const auto file = client.get(target + "&format=csv");
    REQUIRE_EQ(file.status, 200);
    CHECK(file.header("Content-Type").starts_with("text/csv"));
    CHECK(file.header("Content-Disposition").ends_with("-2026-01-08-2026-01-11.csv\""));
    CHECK_EQ(lines_of(file.body).size(), 5);
    CHECK_EQ(client.get(target, {{"Accept", "text/csv"}}).body, file.body);
    CHECK_EQ(client.get(target, {{"Accept", "application/json;q=0.4, Text/CSV;q=0.5"}}).body, file.body);
    for (const auto* accept : {"*/*", "application/json, text/csv;q=0.9", "text/csv;q=0", "text/html"}) {
      CAPTURE(accept);
      CHECK(client.get(target, {{"Accept", accept}}).header("Content-Type").starts_with("application/json"));
    }
    CHECK(client.get(target + "&format=json", {{"Accept", "text/csv"}})
              .header("Content-Type")
              .starts_with("application/json"));
    CHECK_EQ(file.header("Vary"), "Accept");
  }
  const auto lines =
      lines_of(client.get("/api/analytics/campaign/" + id + "?from=2026-01-08&to=2026-01-11&format=csv").body);
  CHECK_EQ(lines[3], "2026-01-10T00:00:00.000Z,2026-01-10,2,2,0,2,0,2,0,0,0,0,0,0");
  CHECK_EQ(lines[4], "2026-01-11T00:00:00.000Z,2026-01-11,0,0,0,0,0,0,0,0,0,0,0,0");
}

TEST_CASE("analytics: contacts and conversations that are made and deleted show within seconds") {
  auto& system = world().system;
  const auto organization = fill(system, "Analytics at work", 3);
  Client client(system, organization.owner.api_key);
  std::vector<std::string> contacts;
  for (int i = 0; i < 3; ++i) {
    const auto made =
        client.post("/api/contacts", R"({"name": "Ada", "phone": "+4420718387)" + std::to_string(50 + i) + "\"}");
    REQUIRE_EQ(made.status, 201);
    contacts.emplace_back(made.json().at("contact").at("uniqueId").as_string().c_str());
  }
  CHECK_EQ(client("DELETE", "/api/contacts/" + contacts[0]).status, 204);
  CHECK_EQ(client.post("/api/conversation", json::serialize(json::object{{"contactId", contacts[1]}})).status, 201);
  const auto figures = [&] { return client.get("/api/analytics/primary").json().at("analytics"); };
  wait_for("events that are counted", [&] {
    const auto now = figures();
    return now.at("contactsDeleted") == 1 && now.at("conversationsOpened") == 1;
  });
  const auto now = figures();
  CHECK_EQ(now.at("contactsCreated"), 3);
  CHECK_EQ(now.at("totalContacts"), 2);
  CHECK_EQ(now.at("conversationsOpenedByMembers"), 1);
  std::int64_t created = 0;
  for (const auto& day : now.at("contactTrends").as_array()) created += day.at("created").as_int64();
  CHECK_EQ(created, 3);
  CHECK_EQ(now.at("contactTrends").as_array().back().at("total"), 2);

  using identity::Permission;
  const auto without = member_with(system, organization.id, all_but(Permission::get_primary_analytics));
  CHECK_EQ(Client(system, without.api_key).get("/api/analytics/primary").status, 403);
}

TEST_CASE("analytics: figures are made anew, by a command, from what the services still have") {
  auto& system = world().system;
  const auto owner = system.create_owner("anew@example.com", "Analytics anew");
  Client client(system, owner.api_key);
  std::vector<std::string> contacts;
  for (int i = 0; i < 3; ++i) {
    const auto made =
        client.post("/api/contacts", R"({"name": "Grace", "phone": "+4420718388)" + std::to_string(50 + i) + "\"}");
    REQUIRE_EQ(made.status, 201);
    contacts.emplace_back(made.json().at("contact").at("uniqueId").as_string().c_str());
  }
  CHECK_EQ(client("DELETE", "/api/contacts/" + contacts[0]).status, 204);
  CHECK_EQ(client.post("/api/conversation", json::serialize(json::object{{"contactId", contacts[1]}})).status, 201);
  const auto report = [&] { return client.get("/api/analytics/primary"); };
  const auto figure = [&](const char* name) { return report().json().at("analytics").at(name); };
  wait_for("events that are counted",
           [&] { return figure("contactsDeleted") == 1 && figure("conversationsOpened") == 1; });
  CHECK(report().header("Parley-Inexact-Before").empty());
  // What never happened goes, too.
  system.sql("analytics")
      .rows("UPDATE message_rollup SET inbound = inbound + 7 WHERE organization_id = $1", {owner.organization_id});
  CHECK_EQ(figure("inboundMessages"), 7);

  system.run("analytics", {"rebuild"}, system.analytics().environment);
  wait_for("figures that are made anew",
           [&] { return figure("inboundMessages") == 0 && figure("contactsDeleted") == 0; });
  CHECK_EQ(figure("conversationsOpenedByMembers"), 1);
  CHECK_EQ(figure("contactsCreated"), 2);  // nobody can tell any more that there was another
  CHECK_FALSE(report().header("Parley-Inexact-Before").empty());
  CHECK_EQ(client("DELETE", "/api/contacts/" + contacts[2]).status, 204);
  wait_for("events after that", [&] { return figure("contactsDeleted") == 1; });
  CHECK_EQ(figure("conversationsOpened"), 1);
}
